/**
 * Reads the certificates that listeners serve, and shows how long they are valid. A single file for a stock `node` image.
 *
 * A server shows its certificate before it asks for the client's, and from TLS 1.3 on, which Kafka's listeners speak by default, the client's side
 * of the handshake is done before the server refuses: nobody needs a certificate to read one. A server that speaks no more than TLS 1.2 refuses
 * first, and counts as unread.
 */
export const certificateProbeScript = `"use strict";
const http = require("node:http");
const tls = require("node:tls");
const { setTimeout: pause } = require("node:timers/promises");

// [{ server, listener, host, port }]
const listeners = JSON.parse(process.env.LISTENERS);
const interval = Number(process.env.INTERVAL_SECONDS);
const retry = Number(process.env.RETRY_SECONDS);
const validFor = Number(process.env.FORGET_SECONDS);

/** When the certificate ends that somebody serves, in milliseconds since 1970. */
function endOf({ host, port }) {
  return new Promise((resolve, reject) => {
    // Whoever signed it, and for whatever name: only its end is looked at.
    const socket = tls.connect({ host, port, servername: host, rejectUnauthorized: false, timeout: 10_000 });
    socket.once("secureConnect", () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      if (Number.isNaN(end)) reject(new Error("it serves no certificate"));
      else resolve(end);
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in 10 seconds")));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed before it served a certificate")));
  });
}

/** What is known: of which listener, until when its certificate is valid, and when that was read. */
const known = new Map();

async function watch(one) {
  const name = one.server + " " + one.listener;
  for (;;) {
    let wait = interval;
    try {
      known.set(one, { end: await endOf(one), readAt: Date.now() });
    } catch (error) {
      console.log(name + " can't be read: " + error.message);
      wait = retry;
    }
    await pause(wait * 1000);
  }
}

function page() {
  const now = Date.now();
  const read = [...known].filter(([, { readAt }]) => now - readAt < validFor * 1000);
  const lines = read.map(
    ([{ server, listener }, { end }]) =>
      'kafka_certificate_remaining_seconds{server="' + server + '",listener="' + listener + '"} ' + Math.floor((end - now) / 1000),
  );
  return [
    "# HELP kafka_certificate_listeners_read Listeners whose certificate was read lately",
    "# TYPE kafka_certificate_listeners_read gauge",
    "kafka_certificate_listeners_read " + read.length,
    "# HELP kafka_certificate_remaining_seconds Seconds until the certificate ends that a listener serves",
    "# TYPE kafka_certificate_remaining_seconds gauge",
    ...lines,
    "",
  ].join("\\n");
}

process.once("SIGTERM", () => process.exit(0)); // the first process of a container has no handler by default
for (const one of listeners) void watch(one);
http
  .createServer((_, response) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(page()))
  .listen(Number(process.env.PORT), function () {
    console.log("serving metrics on port " + this.address().port);
  });
`;
