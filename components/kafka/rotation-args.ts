/** How pods come to use certificates that somebody else has renewed. */
export interface KafkaCertificateRotation {
  /** Whether there is such a job. Without it, restart the pods yourself before the old certificates end. Defaults to true. */
  enabled?: boolean;
  /** When it looks, as Kubernetes' CronJob writes it, in UTC. Defaults to `17 * * * *`, every hour. */
  schedule?: string;
}
