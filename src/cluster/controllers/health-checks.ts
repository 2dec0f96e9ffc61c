// The checks of the controller manager's /healthz: its lease, and once it leads each controller that runs (cmd/kube-controller-manager/app).

import { controllerNames, controllerNamesOfOld } from "./controller-names.ts";

/** Only where they are named. */
const offByDefault: ReadonlySet<string> = new Set([
  "bootstrap-signer-controller",
  "token-cleaner-controller",
  "selinux-warning-controller",
]);
/** Behind gates that are off, or in need of a cloud's settings. */
const absent: ReadonlySet<string> = new Set([
  "service-lb-controller",
  "node-route-controller",
  "cloud-node-lifecycle-controller",
  "kube-apiserver-serving-clustertrustbundle-publisher-controller",
  "storageversion-garbage-collector-controller",
  "storage-version-migrator-controller",
  "selinux-warning-controller",
  "podcertificaterequest-cleaner-controller",
]);

/** `controllers`: the value of the flag, as it was written. */
export function managerChecks(controllers: readonly string[], lease: string, isLeader: boolean): readonly string[] {
  const said = new Set(
    controllers.map((entry) => {
      const [, minus = "", name = ""] = /^(-?)(.*)$/.exec(entry) ?? [];
      return `${minus}${controllerNamesOfOld.get(name) ?? name}`;
    }),
  );
  const runs = (name: string): boolean => said.has(name) || (said.has("*") && !said.has(`-${name}`) && !offByDefault.has(name));
  const running = isLeader ? [...controllerNames].filter((name) => !absent.has(name) && runs(name)) : [];
  const checks = [...(lease === "" ? [] : ["leaderElection"]), ...running];
  return checks.length === 0 ? ["ping"] : checks;
}
