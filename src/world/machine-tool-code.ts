// All that `late-machine-tools.ts` stands for.

export { iptables } from "#cluster/network/netfilter/iptables.ts";
export { iptablesSave } from "#cluster/network/netfilter/iptables-save.ts";
export { watchKubeletRules } from "#cluster/network/netfilter/kubelet-watch.ts";
export { nft } from "#cluster/network/netfilter/nftables/nft.ts";
export { inCloud } from "./cloud-shape.ts";
export { crane } from "./crane.ts";
export { CsiCluster } from "./csi-cluster.ts";
export { ingressControllerImages } from "./ingress-controller-part.ts";
export { type MachinePower, machinePowers } from "./machine-power.ts";
export { applyIngressController } from "./manifests/ingress-controller.ts";
export { nodePrograms } from "./node-programs.ts";
export { outsideNames, startOutsideHosts } from "./outside-hosts.ts";
export { SimulatedCloud } from "./simulated-cloud.ts";
export { ssh } from "./ssh.ts";
export { virsh } from "./virsh.ts";
export { setWatchDelay, watchDelay } from "./watch-delay.ts";
