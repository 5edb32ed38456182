"""Sends numbered messages at a rate until a file appears; writes down each delivery report and all statistics.

Arguments: properties file, bootstrap servers, topic, messages per second, name. Folder /out: what it writes, and `stop`.
"""
import json, os, sys, time
from confluent_kafka import Producer

properties, servers, topic, rate, name = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5]
with open(properties) as lines:
    config = dict(line.rstrip("\n").split("=", 1) for line in lines)
deliveries = open(f"/out/{name}.deliveries", "w", 1 << 16)
statistics = open(f"/out/{name}.statistics.jsonl", "w", 1)
partitions = 24


def on_statistics(text):
    deliveries.flush()
    statistics.write('{"at":%.3f,"statistics":%s}\n' % (time.time(), text))


def report(sequence, partition, produced):
    def delivered(error, _message):
        outcome = error.name() if error else "ok"
        deliveries.write(f"{sequence} {partition} {produced:.3f} {time.time():.3f} {outcome}\n")

    return delivered


config |= {"bootstrap.servers": servers, "client.id": name, "statistics.interval.ms": 1000, "stats_cb": on_statistics}
producer = Producer(config)
padding = "x" * 1000
sequence = refused = 0
due = time.time()
while not os.path.exists("/out/stop"):
    now = time.time()
    while due <= now:
        due = max(due + 1 / rate, now - 2)
        try:
            partition = sequence % partitions
            producer.produce(topic, f"{name} {sequence} {padding}", partition=partition,
                             on_delivery=report(sequence, partition, now))
            sequence += 1
        except BufferError:
            refused += 1
            break
    producer.poll(0.004)
left = producer.flush(90)
deliveries.close()
with open(f"/out/{name}.summary", "w") as summary:
    json.dump({"produced": sequence, "refused": refused, "left": left}, summary)
