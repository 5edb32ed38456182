import type { AlarmRoutes } from "../components";

/** Layers whose alarms can go to an owner of their own (`moorings:alerts.owners`). */
export const layerOwners = ["loadBalancer", "cluster", "kafka"] as const;

/** A layer with alarms. */
export type LayerOwner = (typeof layerOwners)[number];

/** Where the alarms of each layer go. */
export type OwnerRoutes = Record<LayerOwner, AlarmRoutes>;

/** The routes of each layer. */
export function ownerRoutes(of: (owner: LayerOwner) => AlarmRoutes): OwnerRoutes {
  return { loadBalancer: of("loadBalancer"), cluster: of("cluster"), kafka: of("kafka") };
}
