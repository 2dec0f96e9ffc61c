// Commands that bring every kind of owner of Pods into a cluster, for whoever looks at how the picture tells them apart.

const set = (kind: string, name: string): string =>
  `kubectl create deployment ${name} --image=nginx:1.27 --dry-run=client -o json | jq '.kind = "${kind}" | del(.spec.replicas, .spec.strategy)' | kubectl apply -f -`;

/** A Deployment whose rollout finds no image, a StatefulSet, a DaemonSet, a Job, a CronJob and a bare Pod, with a Service. */
export const fiveKindsOfOwners: readonly string[] = [
  "kubectl create deployment shop-frontend --image=nginx:1.27 --replicas=3; kubectl rollout status deployment/shop-frontend",
  "kubectl expose deployment shop-frontend --port=80",
  `${set("StatefulSet", "data")}; kubectl scale statefulset data --replicas=2`,
  set("DaemonSet", "agent"),
  "kubectl create job once --image=busybox:1.36 -- true",
  "kubectl create cronjob often --image=busybox:1.36 --schedule='*/1 * * * *' -- sleep 3600",
  "kubectl create job wrong --image=busybox:1.36 -- sleep 5; kubectl run client --image=nginx:1.27",
  "kubectl wait --for=condition=Complete job/once; kubectl set image deployment/shop-frontend nginx=nginx:no-such-tag",
  "kubectl rollout status statefulset/data; sleep 15; kubectl get pods",
];
