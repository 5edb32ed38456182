#!/bin/bash
# Kafka's tools, by the name that this file has.
case $(basename "$0" .sh) in
  kafka-acls) class=org.apache.kafka.tools.AclCommand ;;
  kafka-broker-api-versions) class=org.apache.kafka.tools.BrokerApiVersionsCommand ;;
  kafka-cluster) class=org.apache.kafka.tools.ClusterTool ;;
  kafka-configs) class=org.apache.kafka.tools.ConfigCommand ;;
  kafka-consumer-groups) class=org.apache.kafka.tools.consumer.group.ConsumerGroupCommand ;;
  kafka-features) class=org.apache.kafka.tools.FeatureCommand ;;
  kafka-leader-election) class=org.apache.kafka.tools.LeaderElectionCommand ;;
  kafka-metadata-quorum) class=org.apache.kafka.tools.MetadataQuorumCommand ;;
  kafka-reassign-partitions) class=org.apache.kafka.tools.reassign.ReassignPartitionsCommand ;;
  kafka-storage) class=kafka.tools.StorageTool ;;
  kafka-topics) class=org.apache.kafka.tools.TopicCommand ;;
  *) echo "$0 isn't among the tools of test-real/kafka/image/tool.sh" >&2; exit 127 ;;
esac
exec /opt/kafka/bin/kafka-run-class.sh "$class" "$@"
