import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads a topic from beginning to end: `producer sequence partition` of each message, one in a line.
 *
 * Arguments: properties file, bootstrap servers, topic, file to write in /out.
 */
public class Reader {
  public static void main(String[] args) throws Exception {
    Properties config = new Properties();
    try (BufferedReader file = new BufferedReader(new FileReader(args[0]))) {
      config.load(file);
    }
    config.put("bootstrap.servers", args[1]);
    config.put("enable.auto.commit", "false");
    try (KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        PrintWriter out = new PrintWriter("/out/" + args[3])) {
      List<TopicPartition> partitions = consumer.partitionsFor(args[2], Duration.ofSeconds(60)).stream()
          .map(one -> new TopicPartition(args[2], one.partition())).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, Duration.ofSeconds(60));
      long deadline = System.currentTimeMillis() + 180_000;
      while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        if (System.currentTimeMillis() > deadline) throw new IllegalStateException("the end wasn't reached");
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
          String[] words = record.value().split(" ", 3);
          out.println(words[0] + " " + words[1] + " " + record.partition());
        }
      }
    }
  }
}
