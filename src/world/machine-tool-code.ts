// All that `late-machine-tools.ts` stands for.

export { iptables } from "#cluster/network/netfilter/iptables.ts";
export { iptablesSave } from "#cluster/network/netfilter/iptables-save.ts";
export { nft } from "#cluster/network/netfilter/nftables/nft.ts";
export { inCloud } from "./cloud-shape.ts";
export { crane } from "./crane.ts";
export { type MachinePower, machinePowers } from "./machine-power.ts";
export { nodePrograms } from "./node-programs.ts";
export { SimulatedCloud } from "./simulated-cloud.ts";
export { ssh } from "./ssh.ts";
export { virsh } from "./virsh.ts";
export { setWatchDelay, watchDelay } from "./watch-delay.ts";
