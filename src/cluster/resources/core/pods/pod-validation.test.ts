import { describe, expect, it } from "vitest";
import { type PodParts, refusalsOf, withContainer } from "./pod-case.test-kit.ts";

type Case = readonly [title: string, parts: PodParts, refusals: readonly string[]];

function cases(list: readonly Case[]): void {
  it.each(list)("%s", (_title, parts, refusals) => {
    expect(refusalsOf(parts)).toEqual(refusals);
  });
}

const spec = (fields: object): PodParts => ({ spec: fields as PodParts["spec"] & object });
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelKey =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("a pod as a whole", () => {
  cases([
    [
      "refuses policies, names and deadlines that there are not",
      spec({
        restartPolicy: "Sometimes",
        dnsPolicy: "Cluster",
        nodeSelector: { "a b": "c d" },
        serviceAccountName: "A",
        nodeName: "N",
        activeDeadlineSeconds: 0,
        priorityClassName: "P",
        runtimeClassName: "R",
        preemptionPolicy: "Always",
      }),
      [
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "Cluster": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        `spec.nodeSelector: Invalid value: "a b": ${labelKey}`,
        `spec.nodeSelector: Invalid value: "c d": ${labelValue}`,
        `spec.serviceAccountName: Invalid value: "A": ${subdomain}`,
        `spec.nodeName: Invalid value: "N": ${subdomain}`,
        "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
        `spec.priorityClassName: Invalid value: "P": ${subdomain}`,
        `spec.runtimeClassName: Invalid value: "R": ${subdomain}`,
        'spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
      ],
    ],
    [
      "[POD-342] refuses ephemeral containers from the start",
      spec({ ephemeralContainers: [{ name: "debugger", image: "busybox" }] }),
      ["spec.ephemeralContainers: Forbidden: cannot be set on create"],
    ],
    [
      "refuses a node for a pod behind gates, and gates twice",
      spec({ nodeName: "n", schedulingGates: [{ name: "a" }, { name: "a" }] }),
      [
        'spec.schedulingGates[1]: Duplicate value: "a"',
        "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
      ],
    ],
    [
      "[POD-172] refuses a readiness gate whose condition is no qualified name",
      spec({ readinessGates: [{ conditionType: "example.com/ready" }, { conditionType: "not ready" }] }),
      [`spec.readinessGates[1].conditionType: Invalid value: "not ready": ${labelKey}`],
    ],
    [
      "refuses claims without a source, with two, and twice",
      spec({
        resourceClaims: [{ name: "a" }, { name: "a", resourceClaimName: "x", resourceClaimTemplateName: "y" }],
      }),
      [
        'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.resourceClaims[1].name: Duplicate value: "a"',
        'spec.resourceClaims[1]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      ],
    ],
    [
      "refuses a token for a pod without an account",
      spec({ volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }] }),
      [
        "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
      ],
    ],
  ]);
});

describe("names and their resolution", () => {
  cases([
    [
      "refuses DNS settings that cannot be",
      spec({
        dnsPolicy: "None",
        dnsConfig: {
          nameservers: ["010.0.0.1", "x", "::ffff:1.2.3.4"],
          searches: ["_sip._tcp.example.com", ".", "A"],
          options: [{}],
        },
      }),
      [
        'spec.dnsConfig.nameservers[0]: Invalid value: "010.0.0.1": must not have leading 0s',
        'spec.dnsConfig.nameservers[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.dnsConfig.nameservers[2]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
        "spec.dnsConfig.searches[2]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
        "spec.dnsConfig.options[0]: Required value: must not be empty",
      ],
    ],
    [
      "[NET-162] refuses the policy None without settings",
      spec({ dnsPolicy: "None" }),
      ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
    ],
    [
      "[NET-162] refuses the policy None without a server",
      spec({ dnsPolicy: "None", dnsConfig: { searches: ["a.example"] } }),
      ["spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"],
    ],
    [
      "[NET-163] refuses more than three servers",
      spec({ dnsConfig: { nameservers: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] } }),
      [
        'spec.dnsConfig.nameservers: Invalid value: ["192.0.2.1","192.0.2.2","192.0.2.3","192.0.2.4"]: must not have more than 3 nameservers',
      ],
    ],
    [
      "[NET-163] refuses more than 32 search domains",
      spec({ dnsConfig: { searches: new Array(33).fill("a") } }),
      [`spec.dnsConfig.searches: Invalid value: [${new Array(33).fill('"a"').join()}]: must not have more than 32 search paths`],
    ],
    [
      "[NET-163] refuses more than 2048 characters of them",
      spec({ dnsConfig: { searches: new Array(32).fill("a".repeat(64)) } }),
      [
        `spec.dnsConfig.searches: Invalid value: [${new Array(32).fill(`"${"a".repeat(64)}"`).join()}]: must not have more than 2048 characters (including spaces) in the search list`,
      ],
    ],
    ["[NET-163] takes as many as that", spec({ dnsConfig: { searches: new Array(32).fill("a".repeat(63)) } }), []],
    [
      "refuses aliases and host names that are none",
      spec({
        hostAliases: [{ ip: "300.1.1.1", hostnames: ["A"] }],
        hostname: "a.b",
        hostnameOverride: "a",
        setHostnameAsFQDN: true,
      }),
      [
        "spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true",
        'spec.hostname: Invalid value: "a.b": must not contain dots',
        'spec.hostAliases[0].ip: Invalid value: "300.1.1.1": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        `spec.hostAliases[0].hostnames[0]: Invalid value: "A": ${subdomain}`,
      ],
    ],
  ]);
});

describe("where a pod may run", () => {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const node = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  cases([
    [
      "refuses an affinity to nodes without terms",
      spec({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } } }),
      [`${node}: Required value: must have at least one node selector term`],
    ],
    [
      "refuses requirements on nodes that mean nothing",
      spec({
        affinity: {
          nodeAffinity: {
            [required]: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: "a", operator: "In" },
                    { key: "b", operator: "Exists", values: ["x"] },
                    { key: "c", operator: "Gt", values: ["1", "2"] },
                    { key: "d", operator: "Like" },
                    { key: "e", operator: "In", values: ["x y"] },
                  ],
                  matchFields: [{ key: "metadata.uid", operator: "In", values: ["a", "b"] }],
                },
              ],
            },
            [preferred]: [{ weight: 0, preference: { matchExpressions: [{ key: "f", operator: "In", values: ["x y"] }] } }],
          },
        },
      }),
      [
        `${node}[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        `${node}[0].matchExpressions[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
        `${node}[0].matchExpressions[2].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
        `${node}[0].matchExpressions[3].operator: Invalid value: "Like": not a valid selector operator`,
        `${node}[0].matchExpressions[4].values[0]: Invalid value: "x y": ${labelValue}`,
        `${node}[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
        `${node}[0].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`,
        `spec.affinity.nodeAffinity.${preferred}[0].weight: Invalid value: 0: must be in the range 1-100`,
      ],
    ],
    [
      "refuses affinities to pods without a topology, with keys and no selector",
      spec({
        affinity: {
          podAffinity: { [required]: [{ topologyKey: "", namespaces: ["N"] }] },
          podAntiAffinity: {
            [preferred]: [{ weight: 101, podAffinityTerm: { topologyKey: "zone", matchLabelKeys: ["app"] } }],
          },
        },
      }),
      [
        `spec.affinity.podAffinity.${required}[0].namespace: Invalid value: "N": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
        `spec.affinity.podAffinity.${required}[0].topologyKey: Required value: can not be empty`,
        `spec.affinity.podAffinity.${required}[0].topologyKey: Invalid value: "": name part must be non-empty`,
        `spec.affinity.podAffinity.${required}[0].topologyKey: Invalid value: "": ${labelKey}`,
        `spec.affinity.podAntiAffinity.${preferred}[0].weight: Invalid value: 101: must be in the range 1-100`,
        `spec.affinity.podAntiAffinity.${preferred}[0].podAffinityTerm.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
      ],
    ],
    [
      "[POD-422] refuses spread constraints without skew, key or action, and twice the same",
      spec({
        topologySpreadConstraints: [
          { maxSkew: 0, topologyKey: "", whenUnsatisfiable: "" },
          { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
          { maxSkew: 2, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
        ],
      }),
      [
        "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
        "spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
        'spec.topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
      ],
    ],
    [
      "[POD-423] refuses a least number of domains for a mere wish",
      spec({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", minDomains: 2, nodeTaintsPolicy: "Obey" },
        ],
      }),
      [
        "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
        'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "Obey": supported values: "Honor", "Ignore"',
      ],
    ],
    [
      "refuses a key that the selector of a constraint has already",
      {
        metadata: { labels: { app: "web" } },
        spec: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "zone",
              whenUnsatisfiable: "DoNotSchedule",
              matchLabelKeys: ["app"],
              labelSelector: { matchLabels: { app: "web" } },
            },
          ],
        },
      },
      ['spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector'],
    ],
    [
      "refuses tolerations that tolerate nothing",
      spec({
        tolerations: [
          { operator: "Equal", value: "x" },
          { key: "a", operator: "Exists", value: "x" },
          { key: "b", operator: "Like", effect: "NoRun" },
          { key: "c", effect: "NoSchedule", tolerationSeconds: 5 },
        ],
      }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        "spec.tolerations[1].operator: Invalid value: \"x\": value must be empty when `operator` is 'Exists'",
        'spec.tolerations[2].operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
        'spec.tolerations[2].effect: Unsupported value: "NoRun": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        "spec.tolerations[3].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when `tolerationSeconds` is set",
      ],
    ],
  ]);
});

describe("security", () => {
  const detail = "when `hostUsers` is false";
  const windows = "cannot be set for a windows pod";
  cases([
    [
      "refuses users, profiles and settings of the kernel that there are not",
      spec({
        hostNetwork: true,
        hostPID: true,
        shareProcessNamespace: true,
        securityContext: {
          runAsUser: -1,
          fsGroup: 2 ** 31,
          supplementalGroups: [-5],
          sysctls: [
            { name: "net.ipv4.tcp_syncookies", value: "1" },
            { name: "bad name", value: "" },
          ],
          fsGroupChangePolicy: "Never",
          seccompProfile: { type: "Localhost" },
          appArmorProfile: { type: "Mine" },
          supplementalGroupsPolicy: "Loose",
        },
      }),
      [
        "spec.securityContext.fsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
        "spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
        "spec.securityContext.supplementalGroups[0]: Invalid value: -5: must be between 0 and 2147483647, inclusive",
        "spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
        "spec.securityContext.sysctls[0].name: Invalid value: \"net.ipv4.tcp_syncookies\": may not be specified when 'hostNetwork' is true",
        'spec.securityContext.sysctls[1].name: Invalid value: "bad name": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", "OnRootMismatch"',
        "spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
        'spec.securityContext.appArmorProfile.type: Unsupported value: "Mine": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Loose": supported values: "Merge", "Strict"',
      ],
    ],
    ["[POD-132] accepts a privileged container", withContainer({ securityContext: { privileged: true } }), []],
    [
      "refuses a container that contradicts itself",
      withContainer({
        securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] }, procMount: "Unmasked" },
      }),
      [
        'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
        'spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":"Unmasked","SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      ],
    ],
    [
      // Upstream writes HostPID and HostIPC with capitals in these paths.
      "[POD-412] refuses a user namespace beside the host's other namespaces, and raw devices",
      withContainer(
        { volumeDevices: [{ name: "v", devicePath: "/dev/x" }] },
        {
          hostUsers: false,
          hostNetwork: true,
          hostPID: true,
          hostIPC: true,
          volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }],
        },
      ),
      [
        `spec.hostNetwork: Forbidden: ${detail}`,
        `spec.HostPID: Forbidden: ${detail}`,
        `spec.HostIPC: Forbidden: ${detail}`,
        `spec.containers[0].volumeDevices: Forbidden: ${detail}`,
      ],
    ],
    [
      "refuses what pods of another system have",
      withContainer(
        { securityContext: { privileged: false, windowsOptions: { runAsUserName: "a\\b\\c" } } },
        { os: { name: "windows" }, hostPID: true, hostUsers: true, securityContext: { runAsUser: 1, fsGroup: 1 } },
      ),
      [
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
        `spec.hostUsers: Forbidden: ${windows}`,
        `spec.hostPID: Forbidden: ${windows}`,
        `spec.securityContext.fsGroup: Forbidden: ${windows}`,
        `spec.securityContext.runAsUser: Forbidden: ${windows}`,
        `spec.containers[0].securityContext.privileged: Forbidden: ${windows}`,
      ],
    ],
    [
      "refuses an unknown system",
      spec({ os: { name: "plan9" } }),
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    [
      "refuses host processes that are not all so, or not on the host's network",
      withContainer(
        {},
        {
          containers: [
            { name: "a", image: "x:1", securityContext: { windowsOptions: { hostProcess: true } } },
            { name: "b", image: "x:1" },
          ],
        },
      ),
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
      ],
    ],
  ]);
});

describe("annotations", () => {
  const annotated = (annotations: object, fields: object = {}): PodParts => ({ ...spec(fields), metadata: { annotations } });
  const cost = "controller.kubernetes.io/pod-deletion-cost";
  const seccomp = "container.seccomp.security.alpha.kubernetes.io/c";
  cases([
    [
      "refuses a mirror pod without a node",
      annotated({ "kubernetes.io/config.mirror": "abc" }),
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "abc": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      "[WRK-038] refuses a cost of deletion that is no number",
      annotated({ [cost]: "+5" }),
      [`metadata.annotations[${cost}]: Invalid value: "+5": must be a 32bit integer`],
    ],
    [
      "refuses profiles of old that contradict the fields or name no container",
      annotated(
        { [seccomp]: "unconfined", "container.apparmor.security.beta.kubernetes.io/d": "mine" },
        { containers: [{ name: "c", image: "x:1", securityContext: { seccompProfile: { type: "RuntimeDefault" } } }] },
      ),
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid value: "d": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/d]: Invalid value: "mine": invalid AppArmor profile name: "mine"',
        "spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match",
      ],
    ],
  ]);
});
