// The Pulumi SDK loads npm's dependency resolver whenever it is loaded itself, for the few programs whose functions it packs together with
// their dependencies (computeCodePaths): a third of the time that loading the SDK takes. Here it is loaded when somebody uses it. The pack
// loads this first of all; the command loads it into every process that it starts (node -r).
"use strict";
const Module = require("node:module");

const load = Module._load;
const sdk = /@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/;

Module._load = function (request, parent, ...rest) {
  if (request !== "@npmcli/arborist" || !sdk.test(parent?.filename ?? ""))
    return load.call(this, request, parent, ...rest);
  const real = () => load.call(this, request, parent, ...rest);
  // Called, read or imported: the forms in which releases of the SDK have used it. Without `__esModule` the helper of `import *`
  // would read every name at once, and so load it.
  function Arborist(...args) {
    return Reflect.construct(real(), args);
  }
  return Object.defineProperties(Arborist, {
    __esModule: { value: true },
    default: { value: Arborist },
    Arborist: { enumerable: true, get: () => real().Arborist },
  });
};
