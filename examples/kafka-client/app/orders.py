"""Takes orders by HTTP and puts them into Kafka. Says 202 when they are stored there, not before.

What the first version did wrong, and what stands here instead:
  - it never called poll(): a thread does nothing else, or no delivery report ever comes and the queue is full on a healthy cluster;
  - it said 202 after produce(): now the delivery report decides;
  - it dropped what didn't fit into the queue: now whoever sends is asked to come back;
  - it had no statistics: now a file that the detector beside it reads;
  - it was gone at SIGTERM with its queue: now the queue is sent first.
"""

import json
import logging
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from confluent_kafka import KafkaException, Producer

log = logging.getLogger("orders")

# A dead broker is dropped after 15 seconds and the message sent to its successor a few seconds later: who waits less gets a 503 each time.
ANSWER_SECONDS = float(os.environ.get("ANSWER_SECONDS", "25"))
# Below the pod's terminationGracePeriodSeconds.
FLUSH_SECONDS = float(os.environ.get("FLUSH_SECONDS", "40"))
RETRY_AFTER = "5"
LARGEST_ORDER = 900_000  # bytes; brokers take 1 MB
# The sidecar empties the file at 2 MiB. Without a sidecar it must not fill the volume: the kubelet would evict the pod.
LARGEST_STATISTICS_FILE = 16 * 2**20


class StatisticsFile:
    """Appends each document as one line, in one write: the detector empties the file in between."""

    def __init__(self, directory, name):
        self.path = os.path.join(directory, f"{name}.jsonl")

    def __call__(self, document):
        # Statistics never stop a producer: an error here would end the poll loop.
        try:
            file = os.open(self.path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o644)
            try:
                if os.fstat(file).st_size < LARGEST_STATISTICS_FILE:
                    os.write(file, document.encode() + b"\n")
            finally:
                os.close(file)
        except OSError as error:
            log.warning("no statistics: %s", error)


class Orders:
    """A producer with its poll loop."""

    def __init__(self, config, topic):
        self.topic = topic
        self.producer = Producer(config)
        self.stopped = threading.Event()
        self.poller = threading.Thread(target=self._poll, name="poll", daemon=True)
        self.poller.start()

    def _poll(self):
        while not self.stopped.is_set():
            self.producer.poll(0.5)

    def store(self, key, value):
        """Returns None when the order is stored, or why that isn't certain. Not stored for certain is not certainly not stored."""
        reported = threading.Event()
        failures = []

        def on_delivery(error, _message):
            if error is not None:
                failures.append(str(error))
            reported.set()

        try:
            self.producer.produce(self.topic, value=value, key=key, on_delivery=on_delivery)
        except BufferError:
            return "the queue is full"
        except KafkaException as error:
            return str(error)
        if not reported.wait(ANSWER_SECONDS):
            return "no broker has confirmed it yet"
        return failures[0] if failures else None

    def close(self):
        """Sends what is in the queue, and returns how much is left."""
        left = self.producer.flush(FLUSH_SECONDS)
        self.stopped.set()
        self.poller.join()
        return left


def handler_for(orders):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.answer(200 if self.path == "/healthz" else 404, {})

        def do_POST(self):
            size = self.headers.get("Content-Length", "")
            if not size.isdigit() or int(size) > LARGEST_ORDER:
                # What wasn't read would be taken for the next request.
                self.close_connection = True
                self.answer(411 if not size.isdigit() else 413, {})
                return
            value = self.rfile.read(int(size))
            # The sender's own id: who sends again, because it heard 503, may store the order twice. Consumers know it by this.
            problem = orders.store(self.headers.get("Idempotency-Key"), value)
            if problem is None:
                self.answer(202, {})
            else:
                log.warning("503: %s", problem)
                self.answer(503, {"Retry-After": RETRY_AFTER}, problem)

        def answer(self, status, headers, text=""):
            body = text.encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    with open(os.environ["KAFKA_PROFILE"], encoding="utf-8") as file:
        config = json.load(file)["librdkafka"]
    config["bootstrap.servers"] = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
    config["logger"] = log
    config["error_cb"] = lambda error: log.warning("kafka: %s", error)
    directory = os.environ.get("KAFKA_STALL_DIRECTORY")
    if directory:
        config["stats_cb"] = StatisticsFile(directory, "orders")

    orders = Orders(config, os.environ["KAFKA_TOPIC"])
    server = ThreadingHTTPServer(
        (os.environ.get("ADDRESS", ""), int(os.environ.get("PORT", "8080"))), handler_for(orders)
    )
    # Requests that are being answered are waited for, as long as flush() takes and no longer: the process ends without them.
    server.daemon_threads = True
    server.block_on_close = False

    def stop(*_):
        # shutdown() waits for serve_forever(), which runs in this thread.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    log.info("listening on %d", server.server_address[1])
    server.serve_forever(poll_interval=0.1)
    left = orders.close()
    server.server_close()
    if left > 0:
        log.error("%d orders were not confirmed", left)
    log.info("stopped")
    return 1 if left > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
