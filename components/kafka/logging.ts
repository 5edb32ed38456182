/**
 * Everything to standard output, with the levels of Kafka's own file. That one also writes files, a new one every hour, and never
 * deletes any: in a pod they would fill the node's disk.
 */
export const log4j2 = `Configuration:
  Appenders:
    Console:
      name: STDOUT
      PatternLayout:
        pattern: "[%d] %p %m (%c)%n"
  Loggers:
    Root:
      level: INFO
      AppenderRef:
        - ref: STDOUT
    Logger:
      - name: kafka.request.logger
        level: WARN
      - name: kafka.network.RequestChannel$
        level: WARN
`;
