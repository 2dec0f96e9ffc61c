/** Of the release's etcd (kubeadm's constants). */
export const etcdVersion = "3.6.6";
export const storageVersion = "3.6.0";
