#!/bin/bash
# The part of kafka-run-class.sh that matters here: which variables reach the JVM.
quiet=-Dlog4j2.configurationFile=/etc/kafka/docker/tools-log4j2.yaml
exec java ${KAFKA_HEAP_OPTS:--Xmx256M} ${KAFKA_JVM_PERFORMANCE_OPTS:-} ${KAFKA_LOG4J_OPTS:-$quiet} ${KAFKA_OPTS:-} \
  -cp '/opt/kafka/libs/*' "$@"
