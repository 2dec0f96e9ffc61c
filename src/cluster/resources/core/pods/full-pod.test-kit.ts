// For tests: a valid pod with nearly every field that a pod may have.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { parseYaml } from "#cluster/api/yaml-text.ts";
import { podOf } from "./pod-case.test-kit.ts";

const text = `
metadata:
  labels: { app: web, version: "1" }
  annotations: { controller.kubernetes.io/pod-deletion-cost: "5" }
spec:
  volumes:
  - { name: empty, emptyDir: { medium: Memory, sizeLimit: 1Gi } }
  - { name: host, hostPath: { path: /data, type: Directory } }
  - { name: secret, secret: { secretName: s, items: [{ key: a, path: b/c, mode: 256 }], defaultMode: 420, optional: true } }
  - { name: config, configMap: { name: c, items: [{ key: a, path: b }], defaultMode: 420 } }
  - { name: claim, persistentVolumeClaim: { claimName: data, readOnly: true } }
  - { name: block, persistentVolumeClaim: { claimName: raw } }
  - name: facts
    downwardAPI:
      items:
      - { path: labels, fieldRef: { fieldPath: metadata.labels } }
      - { path: cpu, resourceFieldRef: { containerName: web, resource: limits.cpu, divisor: 1m }, mode: 256 }
  - name: all
    projected:
      sources:
      - { secret: { name: s, items: [{ key: a, path: s/a }] } }
      - { configMap: { name: c, items: [{ key: a, path: c/a }] } }
      - { downwardAPI: { items: [{ path: name, fieldRef: { fieldPath: metadata.name } }] } }
      - { serviceAccountToken: { audience: vault, expirationSeconds: 3600, path: token } }
  - { name: nfs, nfs: { server: nfs.example, path: /export } }
  - { name: disk, iscsi: { targetPortal: "10.0.0.1:3260", iqn: "iqn.2001-04.com.example:storage", lun: 1, portals: ["10.0.0.2:3260"] } }
  - { name: fibre, fc: { targetWWNs: ["500a0982991b8dc5"], lun: 2 } }
  - { name: driver, csi: { driver: csi.example.com, volumeAttributes: { a: b }, nodePublishSecretRef: { name: s } } }
  - name: scratch
    ephemeral:
      volumeClaimTemplate:
        metadata: { labels: { a: b } }
        spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, storageClassName: fast }
  - { name: picture, image: { reference: "example/data:v1", pullPolicy: IfNotPresent } }
  initContainers:
  - { name: prepare, image: "busybox:1.36", command: [sh, -c, "true"], volumeMounts: [{ name: empty, mountPath: /work }] }
  - { name: side, image: "busybox:1.36", restartPolicy: Always, startupProbe: { exec: { command: ["true"] } } }
  containers:
  - name: web
    image: nginx:1.27
    args: ["--name", "$(NAME)"]
    workingDir: /srv
    ports: [{ name: http, containerPort: 80, protocol: TCP }, { containerPort: 53, protocol: UDP, hostPort: 5353, hostIP: 10.0.0.9 }]
    envFrom: [{ prefix: P_, configMapRef: { name: c, optional: true } }, { secretRef: { name: s } }]
    env:
    - { name: A, value: b }
    - { name: NAME, valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }
    - { name: CPU, valueFrom: { resourceFieldRef: { resource: limits.cpu } } }
    - { name: C, valueFrom: { configMapKeyRef: { name: c, key: k } } }
    - { name: S, valueFrom: { secretKeyRef: { name: s, key: k, optional: true } } }
    resources:
      requests: { cpu: 500m, memory: 1Gi, hugepages-2Mi: 4Mi, example.com/device: "1" }
      limits: { cpu: "1", memory: 1Gi, hugepages-2Mi: 4Mi, example.com/device: "1" }
      claims: [{ name: device, request: r }]
    resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }, { resourceName: memory, restartPolicy: RestartContainer }]
    restartPolicy: OnFailure
    restartPolicyRules: [{ action: Restart, exitCodes: { operator: In, values: [42] } }]
    volumeMounts:
    - { name: empty, mountPath: /cache, mountPropagation: None }
    - { name: secret, mountPath: /secret, readOnly: true, recursiveReadOnly: IfPossible }
    - { name: config, mountPath: /etc/a, subPath: a }
    - { name: claim, mountPath: /data, subPathExpr: "$(NAME)/x" }
    - { name: all, mountPath: /all }
    - { name: picture, mountPath: /picture }
    volumeDevices: [{ name: block, devicePath: /dev/block }]
    livenessProbe: { httpGet: { path: /live, port: http, httpHeaders: [{ name: X-A, value: b }] }, terminationGracePeriodSeconds: 5 }
    readinessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 }
    startupProbe: { grpc: { port: 9090, service: s } }
    lifecycle: { postStart: { exec: { command: ["true"] } }, preStop: { sleep: { seconds: 3 } } }
    terminationMessagePolicy: FallbackToLogsOnError
    securityContext:
      capabilities: { add: [NET_ADMIN], drop: [ALL] }
      seLinuxOptions: { level: "s0:c1" }
      runAsUser: 1000
      runAsGroup: 1000
      runAsNonRoot: true
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      procMount: Default
      seccompProfile: { type: Localhost, localhostProfile: profiles/a.json }
      appArmorProfile: { type: Localhost, localhostProfile: a }
    stdin: true
    stdinOnce: true
    tty: true
  - { name: second, image: "busybox:1.36" }
  terminationGracePeriodSeconds: 20
  activeDeadlineSeconds: 600
  dnsPolicy: None
  dnsConfig: { nameservers: [10.0.0.53], searches: [example.com], options: [{ name: ndots, value: "2" }] }
  nodeSelector: { disk: fast }
  serviceAccountName: web
  automountServiceAccountToken: true
  shareProcessNamespace: true
  securityContext:
    supplementalGroups: [10]
    supplementalGroupsPolicy: Strict
    fsGroup: 10
    fsGroupChangePolicy: OnRootMismatch
    sysctls: [{ name: net.ipv4.tcp_syncookies, value: "1" }]
    seccompProfile: { type: RuntimeDefault }
    seLinuxChangePolicy: Recursive
  imagePullSecrets: [{ name: registry }]
  hostname: web
  subdomain: webs
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - { matchExpressions: [{ key: a, operator: Gt, values: ["5"] }], matchFields: [{ key: metadata.name, operator: In, values: [n] }] }
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: { matchExpressions: [{ key: a, operator: Exists }] } }]
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - { topologyKey: zone, labelSelector: { matchLabels: { app: web } }, namespaces: [a], matchLabelKeys: [version] }
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - { weight: 1, podAffinityTerm: { topologyKey: zone, labelSelector: {}, namespaceSelector: {}, mismatchLabelKeys: [version] } }
  tolerations: [{ key: a, operator: Equal, value: b, effect: NoExecute, tolerationSeconds: 30 }, { operator: Exists }]
  hostAliases: [{ ip: 10.0.0.8, hostnames: [other.example] }]
  readinessGates: [{ conditionType: example.com/ready }]
  enableServiceLinks: false
  overhead: { cpu: 10m }
  topologySpreadConstraints:
  - { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2, nodeTaintsPolicy: Honor, labelSelector: { matchLabels: { app: web } } }
  os: { name: linux }
  schedulingGates: [{ name: example.com/wait }]
  resourceClaims: [{ name: device, resourceClaimTemplateName: gpus }]
  resources: { requests: { cpu: "2", memory: 4Gi }, limits: { cpu: "4", memory: 8Gi } }
`;

/** As it is stored. */
export const fullPod: KubeObject & Pod = podOf(parseYaml(text).value as Parameters<typeof podOf>[0]);
