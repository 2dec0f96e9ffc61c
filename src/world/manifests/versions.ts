// Which images a kubeadm cluster of the simulated release runs.

import { release } from "#cluster/api/generated/release.ts";

export const kubernetesVersion = `v${release}.0`;

export const systemImages = {
  apiServer: `registry.k8s.io/kube-apiserver:${kubernetesVersion}`,
  controllerManager: `registry.k8s.io/kube-controller-manager:${kubernetesVersion}`,
  scheduler: `registry.k8s.io/kube-scheduler:${kubernetesVersion}`,
  proxy: `registry.k8s.io/kube-proxy:${kubernetesVersion}`,
  etcd: "registry.k8s.io/etcd:3.6.6-0",
  coreDns: "registry.k8s.io/coredns/coredns:v1.13.1",
} as const;

/** What is on a node before it joins: kubeadm pulls the images beforehand. */
export function systemImageNames(controlPlane: boolean): readonly string[] {
  const { proxy, coreDns, ...controlPlaneImages } = systemImages;
  const common = [proxy, coreDns, "registry.k8s.io/pause:3.10.1"];
  return controlPlane ? [...common, ...Object.values(controlPlaneImages)] : common;
}
