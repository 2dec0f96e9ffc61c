// What kube-proxy goes by when its container starts. As long as it is what kubeadm wrote nothing is read.

import type { Exit } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { WiredNode } from "../node-network.ts";
import { lateProxy } from "./late-proxy.ts";
import { kubeadmConfiguration, type ProxySettings, usualSettings } from "./settings.ts";

const path = "/var/lib/kube-proxy/config.conf";

/** Undefined when the process has ended: what its configuration says is wrong. */
export function startSettings(self: Process, exit: Exit, node: WiredNode, clusterCidr: string): ProxySettings | undefined {
  const usual = [`--config=${path}`, `--hostname-override=${node.nodeName}`];
  const isUsual =
    self.argv.slice(1).join(" ") === usual.join(" ") &&
    self.exists(path) &&
    self.readText(path) === kubeadmConfiguration(clusterCidr);
  return isUsual ? usualSettings(clusterCidr) : lateProxy.code.readConfiguration(self, exit, node);
}
