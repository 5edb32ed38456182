// Loaded into programs and packs before anything else (node -r). The Pulumi SDK loads npm's dependency resolver whenever it is loaded
// itself, for the few programs whose functions it packs together with their dependencies (computeCodePaths): half of the time that
// loading the SDK takes. Here it is loaded when somebody uses it.
"use strict";
const Module = require("node:module");

const load = Module._load;
const sdk = /@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]/;

Module._load = function (request, parent, ...rest) {
  if (request !== "@npmcli/arborist" || !sdk.test(parent?.filename ?? ""))
    return load.call(this, request, parent, ...rest);
  const real = () => load.call(this, request, parent, ...rest);
  // Called, read or imported: the forms in which releases of the SDK have used it.
  function Arborist(...args) {
    return Reflect.construct(real(), args);
  }
  return Object.defineProperty(Arborist, "Arborist", { enumerable: true, get: () => real().Arborist });
};
