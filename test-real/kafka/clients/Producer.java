import java.io.BufferedReader;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** As producer.py, with Kafka's own client. Statistics are only what waits. */
public class Producer {
  public static void main(String[] args) throws Exception {
    String topic = args[2], name = args[4];
    double step = 1000 / Double.parseDouble(args[3]);
    Properties config = new Properties();
    try (BufferedReader file = new BufferedReader(new FileReader(args[0]))) {
      config.load(file);
    }
    config.put("bootstrap.servers", args[1]);
    config.put("client.id", name);
    PrintWriter deliveries = new PrintWriter(new FileWriter("/out/" + name + ".deliveries"));
    PrintWriter waiting = new PrintWriter(new FileWriter("/out/" + name + ".waiting"), true);
    KafkaProducer<String, String> producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    AtomicLong reported = new AtomicLong();
    String padding = "x".repeat(1000);
    long sequence = 0, lastSecond = 0;
    double due = System.currentTimeMillis();
    while (!Files.exists(Path.of("/out/stop"))) {
      long now = System.currentTimeMillis();
      while (due <= now) {
        due = Math.max(due + step, now - 2000);
        long one = sequence++;
        int partition = (int) (one % 24);
        producer.send(new ProducerRecord<>(topic, partition, null, name + " " + one + " " + padding), (sent, error) -> {
          reported.incrementAndGet();
          String outcome = error == null ? "ok" : error.getClass().getSimpleName();
          synchronized (deliveries) {
            deliveries.printf(Locale.ROOT, "%d %d %.3f %.3f %s%n", one, partition, now / 1000.0,
                System.currentTimeMillis() / 1000.0, outcome);
          }
        });
      }
      if (now - lastSecond >= 1000) {
        lastSecond = now;
        synchronized (deliveries) {
          deliveries.flush();
        }
        waiting.printf(Locale.ROOT, "%.3f %d%n", now / 1000.0, sequence - reported.get());
      }
      Thread.sleep(4);
    }
    producer.close(Duration.ofSeconds(90));
    synchronized (deliveries) {
      deliveries.close();
    }
    Files.writeString(Path.of("/out/" + name + ".summary"),
        "{\"produced\":" + sequence + ",\"refused\":0,\"left\":" + (sequence - reported.get()) + "}");
    System.exit(0);
  }
}
