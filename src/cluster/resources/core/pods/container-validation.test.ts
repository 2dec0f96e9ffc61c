import { describe, expect, it } from "vitest";
import { type PodParts, refusalsOf, withContainer } from "./pod-case.test-kit.ts";

const c = "spec.containers[0]";
const init = "spec.initContainers[0]";
const image = "nginx:1.27";
const oneHandler = "may not specify more than 1 handler type";
const longName = `example.com/${"f".repeat(64)}`;
const range = "must be between 1 and 65535, inclusive";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function withInit(fields: object): PodParts {
  return withContainer({}, { initContainers: [{ name: "i", image, ...fields }] });
}

type Case = readonly [title: string, parts: PodParts, refusals: readonly string[]];

function cases(list: readonly Case[]): void {
  it.each(list)("%s", (_title, parts, refusals) => {
    expect(refusalsOf(parts)).toEqual(refusals);
  });
}

describe("names and images of containers", () => {
  cases([
    ["a plain pod is accepted", {}, []],
    ["[POD-116] refuses a pod without containers", { spec: { containers: [] } }, ["spec.containers: Required value"]],
    ["[POD-006] refuses an empty image", withContainer({ image: "" }), [`${c}.image: Required value`]],
    [
      "[POD-005] refuses an image with blanks around it",
      withContainer({ image: " nginx" }),
      [`${c}.image: Invalid value: " nginx": must not have leading or trailing whitespace`],
    ],
    ["[POD-005] lets an image pass that only the kubelet can judge", withContainer({ image: "UPPER:case/bad" }), []],
    [
      "[POD-012] refuses an unknown pull policy",
      withContainer({ imagePullPolicy: "Sometimes" }),
      [`${c}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    ["refuses a name that is no label", withContainer({ name: "A_b" }), [`${c}.name: Invalid value: "A_b": ${label}`]],
    [
      "[POD-117] refuses the same name twice, among containers and init containers",
      withContainer(
        {},
        {
          containers: [
            { name: "x", image },
            { name: "x", image },
          ],
          initContainers: [{ name: "x", image }],
        },
      ),
      ['spec.containers[1].name: Duplicate value: "x"', 'spec.initContainers[0].name: Duplicate value: "x"'],
    ],
    [
      "refuses an unknown policy for termination messages",
      withContainer({ terminationMessagePolicy: "Log" }),
      [`${c}.terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"`],
    ],
  ]);
});

describe("ports", () => {
  cases([
    [
      "refuses ports out of range, unknown protocols and names that are none",
      withContainer({
        ports: [
          { name: "http", containerPort: 0 },
          { name: "http", containerPort: 70_000, hostPort: 70_000, protocol: "ICMP" },
        ],
      }),
      [
        `${c}.ports[0].containerPort: Required value`,
        `${c}.ports[1].name: Duplicate value: "http"`,
        `${c}.ports[1].containerPort: Invalid value: 70000: ${range}`,
        `${c}.ports[1].hostPort: Invalid value: 70000: ${range}`,
        `${c}.ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"`,
      ],
    ],
    [
      "[POD-127] refuses a host port that two containers want",
      withContainer(
        {},
        {
          containers: [
            { name: "a", image, ports: [{ containerPort: 80, hostPort: 8080 }] },
            { name: "b", image, ports: [{ containerPort: 81, hostPort: 8080 }] },
          ],
        },
      ),
      ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//8080"'],
    ],
    [
      "[POD-127] accepts the same container port twice",
      withContainer(
        {},
        {
          containers: [
            { name: "a", image, ports: [{ containerPort: 80 }] },
            { name: "b", image, ports: [{ containerPort: 80 }] },
          ],
        },
      ),
      [],
    ],
    [
      "refuses a host port that is not the container's on the host's network",
      withContainer({ ports: [{ containerPort: 80, hostPort: 81 }] }, { hostNetwork: true }),
      [`${c}.ports[0].hostPort: Invalid value: 81: must match \`containerPort\` when \`hostNetwork\` is true`],
    ],
  ]);
});

describe("environment", () => {
  const env = (...variables: readonly object[]) => withContainer({ env: variables });
  cases([
    [
      "refuses variables without a name and with signs that may not be in one",
      env({ name: "" }, { name: "A=B" }),
      [
        `${c}.env[0].name: Required value`,
        `${c}.env[1].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
    [
      "refuses a source that is none, one beside a value, and two",
      env(
        { name: "A", valueFrom: {} },
        { name: "B", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "C", valueFrom: { configMapKeyRef: { name: "m", key: "k" }, secretKeyRef: { name: "s", key: "k" } } },
      ),
      [
        `${c}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
        `${c}.env[1].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
        `${c}.env[2].valueFrom: Invalid value: "": may not have more than one field specified at a time`,
      ],
    ],
    [
      "refuses fields that there are not, or not for variables",
      env(
        { name: "A", valueFrom: { fieldRef: { fieldPath: "spec.image" } } },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "status.phase" } } },
        { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
      ),
      [
        `${c}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.image": error converting fieldPath: field label not supported: spec.image`,
        `${c}.env[1].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
        `${c}.env[2].valueFrom.fieldRef: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    [
      "refuses resources and divisors that there are not",
      env(
        { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } },
        { name: "B", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "10m" } } },
      ),
      [
        `${c}.env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
        `${c}.env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
    [
      "refuses references without key or name",
      withContainer({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s" } } }], envFrom: [{ configMapRef: {} }, {}] }),
      [
        `${c}.env[0].valueFrom.secretKeyRef.key: Required value`,
        `${c}.envFrom[0].configMapRef.name: Required value`,
        `${c}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
      ],
    ],
    [
      "refuses a file of a volume that is no empty directory",
      withContainer(
        { env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "f", key: "K" } } }] },
        { volumes: [{ name: "v", hostPath: { path: "/" } }] },
      ),
      [`${c}.env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`],
    ],
  ]);
});

describe("probes and hooks", () => {
  const exec = { exec: { command: ["true"] } };
  cases([
    [
      "[POD-223] refuses a probe without a handler, and with two",
      withContainer({ livenessProbe: {}, readinessProbe: { ...exec, httpGet: { port: 80 } } }),
      [`${c}.livenessProbe: Required value: must specify a handler type`, `${c}.readinessProbe.httpGet: Forbidden: ${oneHandler}`],
    ],
    [
      "[POD-223] refuses more than one success for liveness and start-up, and negative times",
      withContainer({
        livenessProbe: { ...exec, successThreshold: 2 },
        readinessProbe: { ...exec, successThreshold: 2, periodSeconds: -1 },
        startupProbe: { ...exec, successThreshold: 3 },
      }),
      [
        `${c}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
        `${c}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${c}.startupProbe.successThreshold: Invalid value: 3: must be 1`,
      ],
    ],
    [
      // Upstream's validateReadinessProbe makes it an invalid value, not a forbidden one.
      "[POD-224] refuses a grace period of its own for readiness only",
      withContainer({
        livenessProbe: { ...exec, terminationGracePeriodSeconds: 5 },
        readinessProbe: { ...exec, terminationGracePeriodSeconds: 5 },
        startupProbe: { ...exec, terminationGracePeriodSeconds: 0 },
      }),
      [
        `${c}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`,
        `${c}.startupProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`,
      ],
    ],
    [
      "refuses handlers that say nothing or something that cannot be",
      withContainer({
        livenessProbe: { httpGet: { port: "a--b", scheme: "FTP", httpHeaders: [{ name: "X Y", value: "" }] } },
        readinessProbe: { grpc: { port: 0 } },
        startupProbe: { exec: {} },
      }),
      [
        `${c}.livenessProbe.httpGet.port: Invalid value: "a--b": must not contain consecutive hyphens`,
        `${c}.livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
        `${c}.livenessProbe.httpGet.httpHeaders: Invalid value: "X Y": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
        `${c}.readinessProbe.grpc.port: Invalid value: 0: ${range}`,
        `${c}.startupProbe.exec.command: Required value`,
      ],
    ],
    [
      "[POD-109] refuses to sleep less than nothing or longer than the pod has to end",
      withContainer({ lifecycle: { postStart: { sleep: { seconds: -1 } }, preStop: { sleep: { seconds: 31 } } } }),
      [
        `${c}.lifecycle.postStart.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)`,
        `${c}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      ],
    ],
    ["[POD-109] accepts not to sleep at all", withContainer({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }), []],
    [
      "[POD-110] refuses a hook with two handlers, and with none",
      withContainer({ lifecycle: { postStart: {}, preStop: { ...exec, sleep: { seconds: 1 } } } }),
      [
        `${c}.lifecycle.postStart: Required value: must specify a handler type`,
        `${c}.lifecycle.preStop.sleep: Forbidden: ${oneHandler}`,
      ],
    ],
    ["[POD-111] accepts a hook over TCP", withContainer({ lifecycle: { postStart: { tcpSocket: { port: 80 } } } }), []],
  ]);
});

describe("init containers and sidecars", () => {
  const exec = { exec: { command: ["true"] } };
  const only = "may not be set for init containers without restartPolicy=Always";
  const all = { livenessProbe: exec, readinessProbe: exec, startupProbe: exec, lifecycle: { preStop: exec } };
  cases([
    [
      "[POD-114] [POD-313] refuses hooks and probes of an init container that ends",
      withInit(all),
      [
        `${init}.lifecycle: Forbidden: ${only}`,
        `${init}.livenessProbe: Forbidden: ${only}`,
        `${init}.readinessProbe: Forbidden: ${only}`,
        `${init}.startupProbe: Forbidden: ${only}`,
      ],
    ],
    ["[POD-114] accepts them for a sidecar", withInit({ ...all, restartPolicy: "Always" }), []],
    ["[POD-314] accepts ports of an init container", withInit({ ports: [{ containerPort: 80 }] }), []],
    [
      "refuses rules for restarts that there are not",
      withContainer({
        restartPolicy: "Sometimes",
        restartPolicyRules: [{ action: "Restart" }, { action: "Stop", exitCodes: { operator: "Gt", values: [1] } }],
      }),
      [
        `${c}.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"`,
        `${c}.restartPolicyRules[0].exitCodes: Required value: must be specified`,
        `${c}.restartPolicyRules[1].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
        `${c}.restartPolicyRules[1].exitCodes.operator: Unsupported value: "Gt": supported values: "In", "NotIn"`,
      ],
    ],
    [
      "refuses rules without a policy",
      withContainer({ restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }] }),
      [`${c}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
    ],
  ]);
});

describe("resources", () => {
  const resources = (requests: object, limits: object = {}) => withContainer({ resources: { requests, limits } });
  cases([
    [
      "[POD-444] refuses negative amounts",
      resources({ cpu: "-1" }),
      [`${c}.resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`],
    ],
    [
      "[POD-445] refuses a request above its limit",
      resources({ cpu: "2", memory: "1Gi" }, { cpu: "1", memory: "1Gi" }),
      [`${c}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
    ],
    [
      "[POD-447] refuses huge pages without a limit, without anything else, and of other sizes",
      resources({ "hugepages-2Mi": "3Mi" }),
      [
        `${c}.resources.limits: Required value: Limit must be set for non overcommitable resources`,
        `${c}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${c}.resources: Forbidden: HugePages require cpu or memory`,
      ],
    ],
    [
      "[POD-447] refuses a request of huge pages below the limit",
      resources({ "hugepages-2Mi": "2Mi", cpu: "1" }, { "hugepages-2Mi": "4Mi" }),
      [`${c}.resources.requests: Invalid value: "2Mi": must be equal to hugepages-2Mi limit of 4Mi`],
    ],
    [
      "[POD-448] refuses a name that Kubernetes does not know",
      resources({ foo: "1" }, { foo: "1" }),
      [
        `${c}.resources.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
        `${c}.resources.limits[foo]: Invalid value: "foo": must be a standard resource for containers`,
        `${c}.resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
        `${c}.resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers`,
      ],
    ],
    [
      "[POD-524] takes a name below kubernetes.io for one of its own: it may be shared",
      resources({ "kubernetes.io/foo": "500m" }, { "kubernetes.io/foo": "1500m" }),
      [],
    ],
    [
      "[POD-524] refuses names of extended resources that are too long, or begin as quotas' do",
      withContainer({
        resources: { limits: { [`example.com/${"f".repeat(63)}`]: "1", [longName]: "1", "requests.example.com/foo": "1" } },
      }),
      ["limits", "requests"].flatMap((of) => [
        `${c}.resources.${of}[${longName}]: Invalid value: "${longName}": name part must be no more than 63 bytes`,
        `${c}.resources.${of}[${longName}]: Invalid value: "${longName}": doesn't follow extended resource name standard`,
        `${c}.resources.${of}[requests.example.com/foo]: Invalid value: "requests.example.com/foo": doesn't follow extended resource name standard`,
      ]),
    ],
    [
      "[POD-527] accepts whole numbers of an extended resource",
      resources({}, { "example.com/foo": "3000m", "example.com/bar": "3Ki" }),
      [],
    ],
    [
      "[POD-527] refuses parts of an extended resource",
      withContainer({ resources: { limits: { "example.com/foo": "1500m" } } }),
      [
        `${c}.resources.limits[example.com/foo]: Invalid value: "1500m": must be an integer`,
        `${c}.resources.requests[example.com/foo]: Invalid value: "1500m": must be an integer`,
      ],
    ],
    [
      "[POD-528] refuses an extended resource with a request alone, and with another limit",
      resources({ "example.com/foo": "1", "example.com/bar": "1" }, { "example.com/foo": "2" }),
      [
        `${c}.resources.requests: Invalid value: "1": must be equal to example.com/foo limit of 2`,
        `${c}.resources.limits: Required value: Limit must be set for non overcommitable resources`,
      ],
    ],
    [
      "refuses claims that the pod does not have",
      withContainer({ resources: { claims: [{ name: "gpu" }] } }),
      [`${c}.resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
    [
      "refuses resize policies that there are not",
      withContainer(
        {
          resizePolicy: [
            { resourceName: "cpu", restartPolicy: "RestartContainer" },
            { resourceName: "disk", restartPolicy: "" },
          ],
        },
        { restartPolicy: "Never" },
      ),
      [
        `${c}.resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
        `${c}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`,
        `${c}.resizePolicy: Required value`,
        `${c}.resizePolicy: Invalid value: "": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
      ],
    ],
    [
      "refuses to start init containers that end anew by a resize, and lets sidecars",
      withContainer(
        {},
        {
          initContainers: ["end", "stay"].map((name) => ({
            name,
            image: "x:1",
            ...(name === "stay" ? { restartPolicy: "Always" } : {}),
            resizePolicy: [
              { resourceName: "cpu", restartPolicy: "NotRequired" },
              { resourceName: "memory", restartPolicy: "RestartContainer" },
            ],
          })),
        },
      ),
      [
        "spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
      ],
    ],
    [
      "refuses a pod's own requests below those of its containers, and limits of containers above its own",
      withContainer(
        { resources: { requests: { cpu: "2" }, limits: { memory: "2Gi" } } },
        { resources: { requests: { cpu: "1", memory: "2Gi" }, limits: { memory: "1Gi" } } },
      ),
      [
        'spec.resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
        'spec.resources.containers[0][memory].limits: Invalid value: "2Gi": must be less than or equal to pod limits of 1Gi',
      ],
    ],
    [
      "refuses resources that a pod as a whole cannot ask for",
      withContainer({}, { resources: { limits: { "example.com/foo": "1" } } }),
      [
        'spec.resources.limits[example.com/foo]: Unsupported value: "example.com/foo": supported values: "cpu", "hugepages-", "memory"',
      ],
    ],
  ]);
});

describe("mounts and devices", () => {
  const volumes = [
    { name: "v", emptyDir: {} },
    { name: "claim", persistentVolumeClaim: { claimName: "x" } },
  ];
  const mounts = (...volumeMounts: readonly object[]) => withContainer({ volumeMounts }, { volumes });
  cases([
    [
      "[NET-248] [NET-249] refuses mounts of no volume, at no path, and twice at one",
      mounts({ name: "w", mountPath: "/w" }, { name: "v" }, { name: "v", mountPath: "/w" }),
      [
        `${c}.volumeMounts[0].name: Not found: "w"`,
        `${c}.volumeMounts[1].mountPath: Required value`,
        `${c}.volumeMounts[2].mountPath: Invalid value: "/w": must be unique`,
      ],
    ],
    [
      "[NET-252] refuses paths that lead out of the volume, and paths of both kinds",
      mounts({ name: "v", mountPath: "/a", subPath: "/x" }, { name: "v", mountPath: "/b", subPath: "a/../b", subPathExpr: "$(A)" }),
      [
        `${c}.volumeMounts.subPath: Invalid value: "/x": must be a relative path`,
        `${c}.volumeMounts.subPath: Invalid value: "a/../b": must not contain '..'`,
        `${c}.volumeMounts[1].subPathExpr: Invalid value: "$(A)": subPathExpr and subPath are mutually exclusive`,
      ],
    ],
    [
      "[NET-253] [NET-254] refuses ways of mounting that there are not, or not for this container",
      mounts(
        { name: "v", mountPath: "/a", mountPropagation: "Bidirectional" },
        { name: "v", mountPath: "/b", recursiveReadOnly: "Enabled", mountPropagation: "HostToContainer" },
      ),
      [
        `${c}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
        `${c}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
        `${c}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified`,
      ],
    ],
    [
      "[NET-253] [NET-254] takes them for a container that is privileged, or reads only",
      withContainer(
        {
          securityContext: { privileged: true },
          volumeMounts: [
            { name: "v", mountPath: "/a", mountPropagation: "Bidirectional" },
            { name: "v", mountPath: "/b", recursiveReadOnly: "Enabled", readOnly: true, mountPropagation: "None" },
          ],
        },
        { volumes },
      ),
      [],
    ],
    [
      "[NET-250] refuses devices that are no claims or mounted too",
      withContainer(
        {
          volumeDevices: [
            { name: "v", devicePath: "/dev/../x" },
            { name: "claim", devicePath: "/m" },
          ],
          volumeMounts: [{ name: "claim", mountPath: "/m" }],
        },
        { volumes },
      ),
      [
        `${c}.volumeMounts[0].name: Invalid value: "claim": must not already exist in volumeDevices`,
        `${c}.volumeMounts[0].mountPath: Invalid value: "/m": must not already exist as a path in volumeDevices`,
        `${c}.volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
        `${c}.volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps ('..')`,
        `${c}.volumeDevices[1].name: Invalid value: "claim": must not already exist in volumeMounts`,
        `${c}.volumeDevices[1].devicePath: Invalid value: "/m": must not already exist as a path in volumeMounts`,
      ],
    ],
  ]);
});
