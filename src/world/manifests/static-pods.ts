// The files that kubeadm writes to /etc/kubernetes/manifests of a control-plane node: flags, probes, mounts and labels
// as its defaults are (kubeadm's phases/controlplane and phases/etcd).

import { systemImages } from "./versions.ts";

export interface EtcdMemberAddress {
  readonly name: string;
  readonly address: string;
}

export interface ControlPlaneAddresses {
  readonly nodeName: string;
  readonly nodeAddress: string;
  readonly serviceCidr: string;
  readonly podCidr: string;
  /** Members of etcd that the node joined; none where it was the first. */
  readonly etcdBefore: readonly EtcdMemberAddress[];
}

export const controlPlaneComponents = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** File name → YAML text. */
export function staticPodManifests(at: ControlPlaneAddresses): ReadonlyMap<string, string> {
  const written = {
    etcd: etcd(at),
    "kube-apiserver": apiServer(at),
    "kube-controller-manager": controllerManager(at),
    "kube-scheduler": scheduler(at),
  };
  return new Map(controlPlaneComponents.map((component) => [`${component}.yaml`, written[component]]));
}

interface Probe {
  readonly path: string;
  readonly port: number | string;
  readonly scheme: "HTTP" | "HTTPS";
  readonly host: string;
}

interface Component {
  readonly name: string;
  readonly image: string;
  readonly flags: readonly string[];
  readonly cpu: string;
  readonly memory?: string;
  readonly annotations?: readonly string[];
  readonly liveness: Probe;
  readonly readiness?: Probe;
  readonly startup: Probe;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
  readonly volumes: readonly { readonly name: string; readonly path: string; readonly type: string; readonly writable?: boolean }[];
}

function manifest(component: Component): string {
  const lines = [
    "apiVersion: v1",
    "kind: Pod",
    "metadata:",
    ...(component.annotations === undefined ? [] : ["  annotations:", ...component.annotations.map((line) => `    ${line}`)]),
    "  labels:",
    `    component: ${component.name}`,
    "    tier: control-plane",
    `  name: ${component.name}`,
    "  namespace: kube-system",
    "spec:",
    "  containers:",
    "  - command:",
    `    - ${component.name}`,
    ...component.flags.map((flag) => `    - ${flag}`),
    `    image: ${component.image}`,
    "    imagePullPolicy: IfNotPresent",
    ...probe("livenessProbe", component.liveness, [8, 10, 15]),
    `    name: ${component.name}`,
    "    ports:",
    ...component.ports.flatMap(({ name, port }) => [`    - containerPort: ${port}`, `      name: ${name}`, "      protocol: TCP"]),
    ...(component.readiness === undefined ? [] : probe("readinessProbe", component.readiness, [3, 1, 15])),
    "    resources:",
    "      requests:",
    `        cpu: ${component.cpu}`,
    ...(component.memory === undefined ? [] : [`        memory: ${component.memory}`]),
    ...probe("startupProbe", component.startup, [24, 10, 15]),
    "    volumeMounts:",
    ...component.volumes.flatMap(({ name, path, writable }) => [
      `    - mountPath: ${path}`,
      `      name: ${name}`,
      ...(writable === true ? [] : ["      readOnly: true"]),
    ]),
    "  hostNetwork: true",
    "  priority: 2000001000",
    "  priorityClassName: system-node-critical",
    "  securityContext:",
    "    seccompProfile:",
    "      type: RuntimeDefault",
    "  volumes:",
    ...component.volumes.flatMap(({ name, path, type }) => [
      "  - hostPath:",
      `      path: ${path}`,
      `      type: ${type}`,
      `    name: ${name}`,
    ]),
    "status: {}",
    "",
  ];
  return lines.join("\n");
}

function probe(kind: string, at: Probe, [failures, period, timeout]: readonly [number, number, number]): string[] {
  return [
    `    ${kind}:`,
    `      failureThreshold: ${failures}`,
    "      httpGet:",
    `        host: ${at.host}`,
    `        path: ${at.path}`,
    `        port: ${at.port}`,
    `        scheme: ${at.scheme}`,
    ...(kind === "readinessProbe" ? [] : ["      initialDelaySeconds: 10"]),
    `      periodSeconds: ${period}`,
    `      timeoutSeconds: ${timeout}`,
  ];
}

const certificates = { name: "k8s-certs", path: "/etc/kubernetes/pki", type: "DirectoryOrCreate" };
const authorities = { name: "ca-certs", path: "/etc/ssl/certs", type: "DirectoryOrCreate" };

function etcd({ nodeName, nodeAddress, etcdBefore }: ControlPlaneAddresses): string {
  const members = [...etcdBefore, { name: nodeName, address: nodeAddress }];
  const initial = members.map(({ name, address }) => `${name}=https://${address}:2380`).join(",");
  const probeAt = (path: string): Probe => ({ path, port: "probe-port", scheme: "HTTP", host: "127.0.0.1" });
  return manifest({
    name: "etcd",
    image: systemImages.etcd,
    annotations: [`kubeadm.kubernetes.io/etcd.advertise-client-urls: https://${nodeAddress}:2379`],
    flags: [
      `--advertise-client-urls=https://${nodeAddress}:2379`,
      "--cert-file=/etc/kubernetes/pki/etcd/server.crt",
      "--client-cert-auth=true",
      "--data-dir=/var/lib/etcd",
      "--feature-gates=InitialCorruptCheck=true",
      `--initial-advertise-peer-urls=https://${nodeAddress}:2380`,
      `--initial-cluster=${initial}`,
      ...(etcdBefore.length > 0 ? ["--initial-cluster-state=existing"] : []),
      "--key-file=/etc/kubernetes/pki/etcd/server.key",
      `--listen-client-urls=https://127.0.0.1:2379,https://${nodeAddress}:2379`,
      "--listen-metrics-urls=http://127.0.0.1:2381",
      `--listen-peer-urls=https://${nodeAddress}:2380`,
      `--name=${nodeName}`,
      "--peer-cert-file=/etc/kubernetes/pki/etcd/peer.crt",
      "--peer-client-cert-auth=true",
      "--peer-key-file=/etc/kubernetes/pki/etcd/peer.key",
      "--peer-trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt",
      "--snapshot-count=10000",
      "--trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt",
      "--watch-progress-notify-interval=5s",
    ],
    cpu: "100m",
    memory: "100Mi",
    ports: [{ name: "probe-port", port: 2381 }],
    liveness: probeAt("/livez"),
    readiness: probeAt("/readyz"),
    startup: probeAt("/readyz"),
    volumes: [
      { name: "etcd-data", path: "/var/lib/etcd", type: "DirectoryOrCreate", writable: true },
      { name: "etcd-certs", path: "/etc/kubernetes/pki/etcd", type: "DirectoryOrCreate", writable: true },
    ],
  });
}

function apiServer({ nodeAddress, serviceCidr }: ControlPlaneAddresses): string {
  const probeAt = (path: string): Probe => ({ path, port: "probe-port", scheme: "HTTPS", host: nodeAddress });
  const pki = "/etc/kubernetes/pki";
  return manifest({
    name: "kube-apiserver",
    image: systemImages.apiServer,
    annotations: [`kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint: ${nodeAddress}:6443`],
    flags: [
      `--advertise-address=${nodeAddress}`,
      "--allow-privileged=true",
      "--authorization-mode=Node,RBAC",
      `--client-ca-file=${pki}/ca.crt`,
      "--enable-admission-plugins=NodeRestriction",
      "--enable-bootstrap-token-auth=true",
      `--etcd-cafile=${pki}/etcd/ca.crt`,
      `--etcd-certfile=${pki}/apiserver-etcd-client.crt`,
      `--etcd-keyfile=${pki}/apiserver-etcd-client.key`,
      "--etcd-servers=https://127.0.0.1:2379",
      `--kubelet-client-certificate=${pki}/apiserver-kubelet-client.crt`,
      `--kubelet-client-key=${pki}/apiserver-kubelet-client.key`,
      "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
      `--proxy-client-cert-file=${pki}/front-proxy-client.crt`,
      `--proxy-client-key-file=${pki}/front-proxy-client.key`,
      "--requestheader-allowed-names=front-proxy-client",
      `--requestheader-client-ca-file=${pki}/front-proxy-ca.crt`,
      "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      "--requestheader-group-headers=X-Remote-Group",
      "--requestheader-username-headers=X-Remote-User",
      "--secure-port=6443",
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      `--service-account-key-file=${pki}/sa.pub`,
      `--service-account-signing-key-file=${pki}/sa.key`,
      `--service-cluster-ip-range=${serviceCidr}`,
      `--tls-cert-file=${pki}/apiserver.crt`,
      `--tls-private-key-file=${pki}/apiserver.key`,
    ],
    cpu: "250m",
    ports: [{ name: "probe-port", port: 6443 }],
    liveness: probeAt("/livez"),
    readiness: probeAt("/readyz"),
    startup: probeAt("/livez"),
    volumes: [authorities, certificates],
  });
}

function controllerManager({ serviceCidr, podCidr }: ControlPlaneAddresses): string {
  const healthz: Probe = { path: "/healthz", port: "probe-port", scheme: "HTTPS", host: "127.0.0.1" };
  const config = "/etc/kubernetes/controller-manager.conf";
  return manifest({
    name: "kube-controller-manager",
    image: systemImages.controllerManager,
    flags: [
      "--allocate-node-cidrs=true",
      `--authentication-kubeconfig=${config}`,
      `--authorization-kubeconfig=${config}`,
      "--bind-address=127.0.0.1",
      "--client-ca-file=/etc/kubernetes/pki/ca.crt",
      `--cluster-cidr=${podCidr}`,
      "--cluster-name=kubernetes",
      "--cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt",
      "--cluster-signing-key-file=/etc/kubernetes/pki/ca.key",
      "--controllers=*,bootstrapsigner,tokencleaner",
      `--kubeconfig=${config}`,
      "--leader-elect=true",
      "--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt",
      "--root-ca-file=/etc/kubernetes/pki/ca.crt",
      "--service-account-private-key-file=/etc/kubernetes/pki/sa.key",
      `--service-cluster-ip-range=${serviceCidr}`,
      "--use-service-account-credentials=true",
    ],
    cpu: "200m",
    ports: [{ name: "probe-port", port: 10257 }],
    liveness: healthz,
    startup: healthz,
    volumes: [authorities, certificates, { name: "kubeconfig", path: config, type: "FileOrCreate" }],
  });
}

function scheduler(_at: ControlPlaneAddresses): string {
  const probeAt = (path: string): Probe => ({ path, port: "probe-port", scheme: "HTTPS", host: "127.0.0.1" });
  const config = "/etc/kubernetes/scheduler.conf";
  return manifest({
    name: "kube-scheduler",
    image: systemImages.scheduler,
    flags: [
      `--authentication-kubeconfig=${config}`,
      `--authorization-kubeconfig=${config}`,
      "--bind-address=127.0.0.1",
      `--kubeconfig=${config}`,
      "--leader-elect=true",
    ],
    cpu: "100m",
    ports: [{ name: "probe-port", port: 10259 }],
    liveness: probeAt("/livez"),
    readiness: probeAt("/readyz"),
    startup: probeAt("/livez"),
    volumes: [{ name: "kubeconfig", path: config, type: "FileOrCreate" }],
  });
}
