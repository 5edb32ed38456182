// Runs one server, and lives exactly as long as it: node guard.cjs GRACE-SECONDS COMMAND [ARGUMENT...]
// Whoever started it holds the other end of its input. A line there asks the server to stop; the end of it, which comes however that
// process died, kills. A handler in that process couldn't: none runs on SIGKILL, and in Jest's sandbox none runs on any signal.
"use strict";
const { spawn } = require("node:child_process");

const [graceSeconds, command, ...args] = process.argv.slice(2);
// A group of its own: what the server starts ends with it.
const server = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], detached: true });

function signal(name) {
  if (server.pid === undefined) return;
  try {
    process.kill(-server.pid, name);
  } catch {
    // nobody is left
  }
}
const kill = () => signal("SIGKILL");

server.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
server.on("exit", (code) => {
  kill();
  process.exit(code ?? 1);
});
process.stdin.on("data", () => {
  signal("SIGTERM");
  setTimeout(kill, Number(graceSeconds) * 1000);
});
process.stdin.on("end", kill);
process.stdin.on("error", kill);
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, kill);
