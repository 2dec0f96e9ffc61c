// What `kubeadm init` applies once the API answers: who may do what, kube-proxy on every node, CoreDNS and its Service.

import type { ConfigMap, DaemonSet, Deployment, Secret, Service, ServiceAccount } from "#cluster/api/generated/types.ts";
import { configMaps, daemonSets, deployments, secrets, serviceAccounts, services } from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { kubeadmCorefile } from "#cluster/network/dns/corefile.ts";
import { kubeadmConfiguration } from "#cluster/network/proxy/settings.ts";
import { applyRoles } from "./roles.ts";
import { systemImages } from "./versions.ts";

export interface AddonOptions {
  readonly dnsAddress: string;
  readonly podCidr: string;
  readonly apiServerUrl: string;
  /** The cluster's authority in PEM, for those who are about to join. */
  readonly authority: string;
  readonly nowMs: number;
}

const namespace = "kube-system";

/** Creates the add-ons, in the order in which kubeadm applies them. */
export function applyAddons(client: Client, options: AddonOptions): void {
  applyRoles(client);
  client.create(configMaps, clusterInfo(options));
  client.create(secrets, bootstrapToken(options));
  client.create(serviceAccounts, serviceAccount("kube-proxy"));
  client.create(configMaps, kubeProxyConfig(options));
  client.create(daemonSets, kubeProxy());
  client.create(serviceAccounts, serviceAccount("coredns"));
  client.create(configMaps, coreDnsConfig());
  client.create(services, dnsService(options));
  client.create(deployments, coreDns());
}

/** What everyone may read before they can prove who they are: where the cluster is, and how to know it. */
function clusterInfo({ apiServerUrl, authority }: AddonOptions): Draft<ConfigMap> {
  const kubeconfig = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${btoa(authority)}
    server: ${apiServerUrl}
  name: ""
contexts: null
current-context: ""
kind: Config
users: null
`;
  return { metadata: { name: "cluster-info", namespace: "kube-public" }, data: { kubeconfig } };
}

/** The token that kubeadm init leaves for the nodes of the first day. */
function bootstrapToken({ nowMs }: AddonOptions): Draft<Secret> {
  const id = "abcdef";
  return {
    metadata: { name: `bootstrap-token-${id}`, namespace },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
      expiration: formatTime(nowMs + 86_400_000),
      "token-id": id,
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-authentication": "true",
      "usage-bootstrap-signing": "true",
    },
  };
}

function serviceAccount(name: string): Draft<ServiceAccount> {
  return { metadata: { name, namespace } };
}

function kubeProxyConfig({ podCidr, apiServerUrl }: AddonOptions): Draft<ConfigMap> {
  const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
    server: ${apiServerUrl}
  name: default
contexts:
- context:
    cluster: default
    namespace: default
    user: default
  name: default
current-context: default
users:
- name: default
  user:
    tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token`;
  return {
    metadata: { name: "kube-proxy", namespace, labels: { app: "kube-proxy" } },
    data: { "config.conf": kubeadmConfiguration(podCidr), "kubeconfig.conf": kubeconfig },
  };
}

function kubeProxy(): Draft<DaemonSet> {
  const labels = { "k8s-app": "kube-proxy" };
  return {
    metadata: { name: "kube-proxy", namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: "RollingUpdate" },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: "system-node-critical",
          containers: [
            {
              name: "kube-proxy",
              image: systemImages.proxy,
              imagePullPolicy: "IfNotPresent",
              command: [
                "/usr/local/bin/kube-proxy",
                "--config=/var/lib/kube-proxy/config.conf",
                "--hostname-override=$(NODE_NAME)",
              ],
              env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
              securityContext: { privileged: true },
              volumeMounts: [
                { mountPath: "/var/lib/kube-proxy", name: "kube-proxy" },
                { mountPath: "/run/xtables.lock", name: "xtables-lock" },
                { mountPath: "/lib/modules", name: "lib-modules", readOnly: true },
              ],
            },
          ],
          hostNetwork: true,
          serviceAccountName: "kube-proxy",
          volumes: [
            { name: "kube-proxy", configMap: { name: "kube-proxy" } },
            { name: "xtables-lock", hostPath: { path: "/run/xtables.lock", type: "FileOrCreate" } },
            { name: "lib-modules", hostPath: { path: "/lib/modules" } },
          ],
          tolerations: [{ operator: "Exists" }],
          nodeSelector: { "kubernetes.io/os": "linux" },
        },
      },
    },
  };
}

function coreDnsConfig(): Draft<ConfigMap> {
  return { metadata: { name: "coredns", namespace }, data: { Corefile: kubeadmCorefile } };
}

const dnsLabels = { "k8s-app": "kube-dns" };

function dnsService({ dnsAddress }: AddonOptions): Draft<Service> {
  return {
    metadata: {
      name: "kube-dns",
      namespace,
      annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" },
      labels: { ...dnsLabels, "kubernetes.io/cluster-service": "true", "kubernetes.io/name": "CoreDNS" },
    },
    spec: {
      clusterIP: dnsAddress,
      ports: [
        { name: "dns", port: 53, protocol: "UDP", targetPort: 53 },
        { name: "dns-tcp", port: 53, protocol: "TCP", targetPort: 53 },
        { name: "metrics", port: 9153, protocol: "TCP", targetPort: 9153 },
      ],
      selector: dnsLabels,
    },
  };
}

function coreDns(): Draft<Deployment> {
  return {
    metadata: { name: "coredns", namespace, labels: dnsLabels },
    spec: {
      replicas: 2,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: dnsLabels },
      template: {
        metadata: { labels: dnsLabels },
        spec: {
          priorityClassName: "system-cluster-critical",
          serviceAccountName: "coredns",
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                {
                  weight: 100,
                  podAffinityTerm: {
                    labelSelector: { matchExpressions: [{ key: "k8s-app", operator: "In", values: ["kube-dns"] }] },
                    topologyKey: "kubernetes.io/hostname",
                  },
                },
              ],
            },
          },
          tolerations: [
            { key: "CriticalAddonsOnly", operator: "Exists" },
            { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" },
          ],
          nodeSelector: { "kubernetes.io/os": "linux" },
          containers: [
            {
              name: "coredns",
              image: systemImages.coreDns,
              imagePullPolicy: "IfNotPresent",
              resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
              args: ["-conf", "/etc/coredns/Corefile"],
              volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
              ports: [
                { containerPort: 53, name: "dns", protocol: "UDP" },
                { containerPort: 53, name: "dns-tcp", protocol: "TCP" },
                { containerPort: 9153, name: "metrics", protocol: "TCP" },
                { containerPort: 8080, name: "liveness-probe", protocol: "TCP" },
                { containerPort: 8181, name: "readiness-probe", protocol: "TCP" },
              ],
              livenessProbe: {
                httpGet: { path: "/health", port: "liveness-probe", scheme: "HTTP" },
                initialDelaySeconds: 60,
                timeoutSeconds: 5,
                successThreshold: 1,
                failureThreshold: 5,
              },
              readinessProbe: { httpGet: { path: "/ready", port: "readiness-probe", scheme: "HTTP" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
                readOnlyRootFilesystem: true,
              },
            },
          ],
          dnsPolicy: "Default",
          volumes: [{ name: "config-volume", configMap: { name: "coredns", items: [{ key: "Corefile", path: "Corefile" }] } }],
        },
      },
    },
  };
}
