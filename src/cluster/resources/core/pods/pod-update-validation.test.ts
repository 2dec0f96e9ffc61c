import { describe, expect, it } from "vitest";
import type { Container, PodSpec, PodStatus } from "#cluster/api/generated/types.ts";
import { causesOf, testFacts } from "../../strategy.test-kit.ts";
import { type PodParts, podOf, updateRefusals, withContainer } from "./pod-case.test-kit.ts";
import { pods } from "./pods.ts";

type Pod = ReturnType<typeof podOf>;

const changeable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function withSpec(fields: object): (pod: Pod) => object {
  return (pod) => ({ ...pod, spec: { ...(pod.spec as PodSpec), ...fields } });
}

function withFirst(fields: object): (pod: Pod) => object {
  return (pod) =>
    withSpec({ containers: [{ ...pod.spec?.containers[0], ...fields }, ...(pod.spec?.containers.slice(1) ?? [])] })(pod);
}

describe("updates of pods", () => {
  const gated = { schedulingGates: [{ name: "a" }, { name: "b" }] };
  it.each<readonly [string, PodParts, (pod: Pod) => object, readonly string[]]>([
    ["another image is accepted", {}, withFirst({ image: "nginx:1.28" }), []],
    [
      "[POD-122] anything else is refused with the difference",
      {},
      withFirst({ workingDir: "/x" }),
      [
        [
          `spec: Forbidden: ${changeable}`,
          "@@ -7,7 +7,7 @@",
          '    "Image": "nginx:1.27",',
          '    "Command": null,',
          '    "Args": null,',
          '-   "WorkingDir": "",',
          '+   "WorkingDir": "/x",',
          '    "Ports": null,',
          '    "EnvFrom": null,',
          '    "Env": null,',
          "",
        ].join("\n"),
      ],
    ],
    [
      "[POD-139] [POD-087] [POD-419] node, runtime class and user namespace stay what they are",
      { spec: { nodeName: "one" } },
      withSpec({ nodeName: "two", runtimeClassName: "x", hostUsers: false }),
      [
        [
          `spec: Forbidden: ${changeable}`,
          "@@ -42,13 +42,13 @@",
          '  "NodeSelector": null,',
          '  "ServiceAccountName": "",',
          '  "AutomountServiceAccountToken": null,',
          '- "NodeName": "one",',
          '+ "NodeName": "two",',
          '  "SecurityContext": {',
          '   "HostNetwork": false,',
          '   "HostPID": false,',
          '   "HostIPC": false,',
          '   "ShareProcessNamespace": null,',
          '-  "HostUsers": null,',
          '+  "HostUsers": false,',
          '   "SELinuxOptions": null,',
          '   "WindowsOptions": null,',
          '   "RunAsUser": null,',
          "@@ -76,7 +76,7 @@",
          '  "PreemptionPolicy": null,',
          '  "DNSConfig": null,',
          '  "ReadinessGates": null,',
          '- "RuntimeClassName": null,',
          '+ "RuntimeClassName": "x",',
          '  "Overhead": null,',
          '  "EnableServiceLinks": true,',
          '  "TopologySpreadConstraints": null,',
          "",
        ].join("\n"),
      ],
    ],
    [
      "containers are neither added nor taken away",
      {},
      withSpec({
        containers: [
          { name: "c", image: "nginx:1.27" },
          { name: "d", image: "x:1" },
        ],
      }),
      ["spec.containers: Forbidden: pod updates may not add or remove containers"],
    ],
    [
      "[POD-123] a deadline is set and brought forward",
      { spec: { activeDeadlineSeconds: 60 } },
      withSpec({ activeDeadlineSeconds: 30 }),
      [],
    ],
    [
      "[POD-123] a deadline is not put off",
      { spec: { activeDeadlineSeconds: 60 } },
      withSpec({ activeDeadlineSeconds: 90 }),
      ["spec.activeDeadlineSeconds: Invalid value: 90: must be less than or equal to previous value"],
    ],
    [
      "[POD-123] a deadline is not taken away",
      { spec: { activeDeadlineSeconds: 60 } },
      (pod) => {
        const { activeDeadlineSeconds: _deadline, ...spec } = pod.spec as PodSpec;
        return { ...pod, spec };
      },
      ["spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"],
    ],
    [
      "tolerations are added, and their times changed",
      { spec: { tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }] } },
      withSpec({
        tolerations: [
          { key: "b", operator: "Exists" },
          { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 },
        ],
      }),
      [],
    ],
    [
      "tolerations are not taken away",
      { spec: { tolerations: [{ key: "a", operator: "Exists" }] } },
      withSpec({ tolerations: [] }),
      ["spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds"],
    ],
    [
      "a negative grace period becomes one second",
      { spec: { terminationGracePeriodSeconds: -5 } },
      withSpec({ terminationGracePeriodSeconds: 1 }),
      [],
    ],
    ["[POD-142] gates are taken away", { spec: gated }, withSpec({ schedulingGates: [{ name: "b" }] }), []],
    [
      "[POD-142] gates are not added",
      { spec: gated },
      withSpec({ schedulingGates: [{ name: "c" }] }),
      ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'"],
    ],
    ["behind gates a pod is tied to fewer nodes", { spec: gated }, withSpec({ nodeSelector: { disk: "ssd" } }), []],
    [
      "behind gates a pod is not tied to others",
      { spec: { ...gated, nodeSelector: { disk: "ssd" } } },
      withSpec({ nodeSelector: { disk: "hdd" } }),
      [
        'spec.nodeSelector: Invalid value: {"disk":"hdd"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
    [
      "behind gates further requirements are accepted at the end of a term only",
      { spec: { ...gated, affinity: requiring([{ key: "a", operator: "Exists" }]) } },
      withSpec({ affinity: requiring([{ key: "b", operator: "Exists" }]) }),
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)',
      ],
    ],
    [
      "a mirror pod stays one",
      { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } }, spec: { nodeName: "n" } },
      (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: {} } }),
      ["metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation"],
    ],
    [
      "[POD-348] ephemeral containers are no part of an update",
      {},
      withSpec({ ephemeralContainers: [{ name: "debugger", image: "busybox:1" }] }),
      [expect.stringContaining(`spec: Forbidden: ${changeable}\n@@`)],
    ],
  ])("%s", (_title, parts, change, refusals) => {
    expect(updateRefusals(parts, change)).toEqual(refusals);
  });

  it.each<readonly [string, readonly object[]]>([
    ["other", [{ name: "v", emptyDir: { medium: "Memory" } }]],
    [
      "more",
      [
        { name: "v", emptyDir: {} },
        { name: "w", emptyDir: {} },
      ],
    ],
    ["no", []],
  ])("[NET-267] a Pod gets %s volumes in vain", (_which, volumes) => {
    expect(updateRefusals({ spec: { volumes: [{ name: "v", emptyDir: {} }] } }, withSpec({ volumes }))).toEqual([
      expect.stringContaining(`spec: Forbidden: ${changeable}\n@@`),
    ]);
  });

  function requiring(matchExpressions: readonly object[]): object {
    return {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
    };
  }
});

describe("updates of a pod's status", () => {
  const withStatus =
    (fields: PodStatus): ((pod: Pod) => object) =>
    (pod) => ({ ...pod, status: { ...pod.status, ...fields } });
  const ip = (address: string) => ({ ip: address });
  it.each<readonly [string, PodParts, (pod: Pod) => object, readonly string[]]>([
    ["an ordinary one is accepted", {}, withStatus({ phase: "Running", podIP: "10.0.0.1", podIPs: [ip("10.0.0.1")] }), []],
    [
      "[POD-483] the class of service stays",
      {},
      withStatus({ qosClass: "Guaranteed" }),
      ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    ],
    [
      "[POD-129] there is one address of each family",
      {},
      withStatus({ podIPs: [ip("10.0.0.1"), ip("10.0.0.2")] }),
      ['status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family'],
    ],
    [
      "the first address of the host is its address",
      {},
      withStatus({ hostIP: "1.1.1.1", hostIPs: [ip("1.1.1.2")] }),
      ['status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`'],
    ],
    [
      "conditions have names, nominations are for pods without a node",
      { spec: { nodeName: "n" } },
      withStatus({ conditions: [{ type: "a b", status: "True" }], nominatedNodeName: "m" }),
      [
        "status.conditions[0].Type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node",
      ],
    ],
  ])("%s", (_title, parts, change, refusals) => {
    expect(updateRefusals(parts, change, "status")).toEqual(refusals);
  });

  it.each<readonly [string, object, number, readonly string[]]>([
    [
      "Never",
      { restartPolicy: "Never" },
      1,
      ["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"],
    ],
    [
      "OnFailure after success",
      { restartPolicy: "OnFailure" },
      0,
      ["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"],
    ],
    ["OnFailure after a failure", { restartPolicy: "OnFailure" }, 1, []],
    ["Always", {}, 0, []],
  ])("a container that has ended comes back as its policy says: %s", (_title, spec, exitCode, refusals) => {
    const status = (state: object) => ({ name: "c", image: "", imageID: "", ready: false, restartCount: 0, state });
    const old = {
      ...podOf({ spec: spec as NonNullable<PodParts["spec"]> }),
      status: { containerStatuses: [status({ terminated: { exitCode } })], qosClass: "BestEffort" },
    };
    const running = (pod: Pod) => ({ ...pod, status: { ...pod.status, containerStatuses: [status({ running: {} })] } });
    expect(refusalsBetween(old as Pod, running(old as Pod))).toEqual(refusals);
  });

  function refusalsBetween(old: Pod, pod: object): readonly string[] {
    return causesOf((errors) => pods.validateStatusUpdate?.(pod as Pod, old, errors));
  }
});

describe("pods/ephemeralcontainers", () => {
  const debuggerOf = (fields: object = {}) => ({ name: "debugger", image: "busybox:1", ...fields });
  const adding = (...containers: readonly object[]) => withSpec({ ephemeralContainers: containers });
  const e = "spec.ephemeralContainers[0]";
  const cannot = "cannot be set for an Ephemeral Container";
  it.each<readonly [string, PodParts, (pod: Pod) => object, readonly string[]]>([
    ["[POD-341] a container is added", {}, adding(debuggerOf({ targetContainerName: "c" })), []],
    [
      "[POD-343] what makes no sense for debugging is refused",
      {},
      adding(
        debuggerOf({
          ports: [{ containerPort: 80 }],
          livenessProbe: { exec: { command: ["x"] } },
          readinessProbe: { exec: { command: ["x"] } },
          startupProbe: { exec: { command: ["x"] } },
          lifecycle: { preStop: { exec: { command: ["x"] } } },
          resources: { limits: { cpu: "1" } },
          resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
          restartPolicy: "Always",
          restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
        }),
      ),
      [
        "ports",
        "resources",
        "resizePolicy",
        "restartPolicy",
        "restartPolicyRules",
        "livenessProbe",
        "readinessProbe",
        "startupProbe",
        "lifecycle",
      ].map((name) => `${e}.${name}: Forbidden: ${cannot}`),
    ],
    [
      "[POD-344] mounts of parts of a volume are refused",
      { spec: { volumes: [{ name: "v", emptyDir: {} }] } },
      adding(debuggerOf({ volumeMounts: [{ name: "v", mountPath: "/v", subPath: "x" }] })),
      [`${e}.volumeMounts[0].subPath: Forbidden: ${cannot}`],
    ],
    [
      "[POD-345] names differ from those of all containers",
      {},
      adding(debuggerOf({ name: "c" })),
      [`${e}.name: Duplicate value: "c"`],
    ],
    [
      "[POD-349] the target is a container of the pod",
      {},
      adding(debuggerOf({ targetContainerName: "x" })),
      [`${e}.targetContainerName: Not found: "x"`],
    ],
    [
      "[POD-347] static pods have none",
      { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } }, spec: { nodeName: "n" } },
      adding(debuggerOf()),
      ["Forbidden: static pods do not support ephemeral containers"],
    ],
    ["[POD-341] nothing else of the update is taken", {}, (pod) => withSpec({ hostNetwork: true })(pod), []],
  ])("%s", (_title, parts, change, refusals) => {
    expect(updateRefusals(parts, change, "ephemeralcontainers")).toEqual(refusals);
  });

  it("[POD-346] they are neither taken away nor changed", () => {
    const old = podOf({});
    const strategy = pods.subresourceStrategies?.["ephemeralcontainers"];
    const withOne = strategy?.(adding(debuggerOf())(old) as Pod, old, testFacts) as Pod;
    const before = { spec: { ...withOne.spec } } as PodParts;
    expect(updateRefusals(before, adding(), "ephemeralcontainers")).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debugger" may not be removed\n',
    ]);
    expect(updateRefusals(before, adding(debuggerOf({ tty: true })), "ephemeralcontainers")).toEqual([
      [
        'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debugger" may not be changed',
        "@@ -27,6 +27,6 @@",
        '  "SecurityContext": null,',
        '  "Stdin": false,',
        '  "StdinOnce": false,',
        '- "TTY": false,',
        '+ "TTY": true,',
        '  "TargetContainerName": ""',
        " }",
        "",
      ].join("\n"),
    ]);
  });

  it("[POD-353] [POD-126] the new container has defaults, and the generation counts it", () => {
    const old = podOf({});
    const desired = pods.defaults?.(adding(debuggerOf({ image: "busybox" }))(old) as Pod) as Pod;
    const next = pods.subresourceStrategies?.["ephemeralcontainers"]?.(desired, old, testFacts) as Pod;
    expect([next.metadata.generation, next.spec?.ephemeralContainers]).toEqual([
      2,
      [
        {
          name: "debugger",
          image: "busybox",
          imagePullPolicy: "Always",
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
    ]);
  });
});

describe("pods/resize", () => {
  const asks = (requests: object, limits?: object): Partial<Container> =>
    ({ resources: limits === undefined ? { requests } : { requests, limits } }) as Partial<Container>;
  const burstable = withContainer(asks({ cpu: "1", memory: "1Gi" }, { memory: "2Gi" }));
  const only = "spec: Forbidden: only cpu and memory resources are mutable";
  it.each<readonly [string, PodParts, (pod: Pod) => object, readonly string[]]>([
    ["[POD-449] CPU and memory change", burstable, withFirst(asks({ cpu: "2", memory: "2Gi" }, { memory: "3Gi" })), []],
    ["[POD-449] nothing else of the update is taken", burstable, (pod) => withFirst({ image: "other:1" })(pod), []],
    [
      "[POD-449] other resources are refused",
      withContainer(asks({ cpu: "1", "ephemeral-storage": "1Gi" })),
      withFirst(asks({ cpu: "1", "ephemeral-storage": "2Gi" })),
      [only],
    ],
    [
      "requests and limits are not taken away",
      burstable,
      withFirst(asks({ cpu: "2" })),
      [
        "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
        "spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed",
      ],
    ],
    [
      "[POD-483] the class of service stays",
      burstable,
      withFirst(asks({ cpu: "1", memory: "1Gi" }, { cpu: "1", memory: "1Gi" })),
      ['spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing'],
    ],
    [
      "init containers that end get other amounts as well",
      withContainer({}, { initContainers: [{ name: "i", image: "x:1", ...asks({ cpu: "1" }) }] }),
      (pod) => withSpec({ initContainers: [{ ...pod.spec?.initContainers?.[0], ...asks({ cpu: "2" }) }] })(pod),
      [],
    ],
    [
      "of init containers nothing else changes",
      withContainer({}, { initContainers: [{ name: "i", image: "x:1", ...asks({ cpu: "1" }) }] }),
      (pod) =>
        withSpec({ initContainers: [{ ...pod.spec?.initContainers?.[0], ...asks({ cpu: "1", "ephemeral-storage": "1Gi" }) }] })(
          pod,
        ),
      ["spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable"],
    ],
    [
      "static pods stay as they are",
      { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } }, spec: { nodeName: "n" } },
      withFirst(asks({ cpu: "1" })),
      ["Forbidden: static pods cannot be resized"],
    ],
    [
      "containers are not renamed",
      burstable,
      withFirst({ name: "d" }),
      ["spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize"],
    ],
  ])("%s", (_title, parts, change, refusals) => {
    expect(updateRefusals(parts, change, "resize")).toEqual(refusals);
  });
});
