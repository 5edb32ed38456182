// Loaded into the previewed program before anything else (node -r). It keeps errors printable, and answers one question when asked and once more
// when the program ends: which promises of the Pulumi runtime are still open? The runtime keeps them, with a label, in its store.
"use strict";
const fs = require("node:fs");
const util = require("node:util");

// The SDK prints an error with util.inspect and colours. On Node 20 its highlighter of node_modules paths then loops for half a minute
// over a frame of the SDK's own, such as that of a missing output of a StackReference, and the fields that the SDK hangs on errors hide
// the message. The message and the place are enough.
const { inspect } = util;
util.inspect = Object.assign((value, ...options) => {
  const isPlain = value instanceof Error && value.stack !== undefined && value.cause === undefined;
  return isPlain ? value.stack : inspect(value, ...options);
}, inspect);

function openPromises() {
  const state = Object.keys(require.cache).find((file) => /@pulumi[\\/]pulumi[\\/]runtime[\\/]state\.js$/.test(file));
  if (state === undefined) return [];
  const candidates = require.cache[state].exports.getStore().leakCandidates ?? new Set();
  const labels = [...candidates].map((promise) => String(promise._debugCtx));
  // There are dozens for each resource; the one that names it is enough.
  const resources = labels.filter((label) => label.startsWith("resource:"));
  return (resources.length > 0 ? resources : labels).slice(0, 20).map((label) => label.slice(0, 300));
}

function report() {
  const waits = { promises: openPromises(), handles: process.getActiveResourcesInfo?.() ?? [] };
  fs.writeSync(2, `\nmoorings-waits:${JSON.stringify(waits)}\n`);
}

process.on("message", (message) => {
  if (message === "moorings-waits") report();
});
process.on("disconnect", () => process.exit(1)); // nobody is there any more
process.channel?.unref(); // the question must not keep the program alive
process.on("exit", () => {
  if (openPromises().length > 0) report();
});
