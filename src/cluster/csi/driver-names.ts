// Names by which a cluster knows the CSI driver of a simulated storage service.

export const driverName = "csi.sim.local";
/** As the programs name what finalizers are theirs. */
export const attacherFinalizer = "external-attacher/csi-sim-local";
export const provisionerFinalizer = "external-provisioner.volume.kubernetes.io/finalizer";
/** Nodes of one region reach the same volumes. */
export const regionKey = "topology.csi.sim.local/region";
export const region = "sim-1";

/** What nodes' statuses call a volume. */
export function uniqueName(driver: string, handle: string): string {
  return `kubernetes.io/csi/${driver}^${handle}`;
}
