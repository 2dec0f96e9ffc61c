// The API group of metrics.

export const group = "metrics.k8s.io";
export const groupVersion = `${group}/v1beta1`;
