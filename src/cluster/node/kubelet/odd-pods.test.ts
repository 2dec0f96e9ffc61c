// Pods that the API takes and nobody would write: whatever they hold, the node goes on and no error escapes.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "#cluster/api/errors.ts";
import { configMaps, pods } from "#cluster/api/kinds.ts";
import { startedCluster } from "./kubelet.test-kit.ts";

const text = fc.constantFrom(
  "",
  "a",
  ".",
  "a/b",
  "a/../b",
  "nginx.conf/x",
  "..data",
  "/",
  "//",
  "/etc",
  "/proc",
  "/dev/null",
  "$(X)",
  "$$(X)",
  "$(",
  "日本",
  " ",
  "x".repeat(300),
);
const path = fc.constantFrom(
  "/",
  "/mnt",
  "mnt",
  "/mnt/",
  "/etc/hosts",
  "/proc/self",
  "/dev/null",
  "/bin/sh",
  "/mnt/a:b",
  "/a/b/c/d",
);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const whole = fc.constantFrom(-1, 0, 1, 65_535, 2_147_483_647);

const source = fc.oneof(
  fc.constant({ emptyDir: {} }),
  fc.record({ emptyDir: fc.record({ medium: fc.constantFrom("", "Memory"), sizeLimit: fc.constantFrom("0", "1", "1Ki", "1Ti") }) }),
  fc.record({
    configMap: fc.record({
      name: fc.constant("c"),
      optional: optional(fc.boolean()),
      defaultMode: optional(fc.constantFrom(0, 0o777)),
      items: optional(fc.array(fc.record({ key: fc.constantFrom("nginx.conf", "none"), path: text }), { maxLength: 2 })),
    }),
  }),
  fc.record({
    hostPath: fc.record({
      path: fc.constantFrom("/", "/etc/hostname", "/none/x", "/proc", "relative"),
      type: optional(fc.constantFrom("", "File", "Directory", "FileOrCreate", "DirectoryOrCreate", "Socket")),
    }),
  }),
  fc.record({
    downwardAPI: fc.record({
      items: fc.array(
        fc.record({
          path: text,
          fieldRef: fc.record({
            fieldPath: fc.constantFrom("metadata.labels", "metadata.annotations['a']", "metadata.name", "status.podIP"),
          }),
        }),
        { maxLength: 2 },
      ),
    }),
  }),
);
const probe = fc.record({
  exec: optional(fc.record({ command: fc.array(text, { maxLength: 2 }) })),
  periodSeconds: optional(whole),
  timeoutSeconds: optional(whole),
  httpGet: optional(
    fc.record({ port: fc.constantFrom<string | number>(80, 0, "http", "none"), path: optional(text), host: optional(text) }),
  ),
});
/** Odd fields of a container, each by itself. */
const fields = {
  image: fc.constantFrom("busybox:1.36", "nginx:1.27", "none:1", "", "UPPER", "a@b", "busybox:1.36@sha256:0"),
  command: optional(fc.array(text, { maxLength: 2 })),
  args: optional(fc.array(text, { maxLength: 2 })),
  workingDir: optional(path),
  env: optional(fc.array(fc.record({ name: fc.constantFrom("X", "a.b", "=", "PATH"), value: text }), { maxLength: 2 })),
  envFrom: optional(fc.constant([{ configMapRef: { name: "c" }, prefix: "é" }])),
  volumeMounts: optional(
    fc.array(
      fc.record({
        name: fc.constantFrom("v", "w"),
        mountPath: path,
        subPath: optional(text),
        subPathExpr: optional(text),
        readOnly: optional(fc.boolean()),
      }),
      { maxLength: 3 },
    ),
  ),
  livenessProbe: optional(probe),
  lifecycle: optional(
    fc.record({ postStart: optional(fc.record({ exec: fc.record({ command: fc.array(text, { minLength: 1, maxLength: 2 }) }) })) }),
  ),
  securityContext: optional(
    fc.record({ runAsUser: optional(whole), runAsNonRoot: optional(fc.boolean()), readOnlyRootFilesystem: optional(fc.boolean()) }),
  ),
  resources: optional(
    fc.record({ limits: fc.record({ memory: fc.constantFrom("0", "1", "4Mi", "1Ei"), cpu: fc.constantFrom("0", "1m", "1000") }) }),
  ),
  terminationMessagePath: optional(path),
  stdin: optional(fc.boolean()),
  tty: optional(fc.boolean()),
};
const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One odd field of the Pod's or the container's. */
const oddity = fc.oneof(
  ...Object.entries(fields).map(([name, value]) => value.map((odd: unknown) => ({ container: { [name]: odd }, spec: {} }))),
  fc
    .record({
      terminationGracePeriodSeconds: optional(fc.constantFrom(0, 1, 30)),
      activeDeadlineSeconds: optional(fc.constantFrom(1, 20)),
      hostNetwork: optional(fc.boolean()),
      shareProcessNamespace: optional(fc.boolean()),
      restartPolicy: optional(fc.constantFrom("Always", "OnFailure", "Never")),
      securityContext: optional(fc.record({ fsGroup: optional(whole), runAsUser: optional(whole) })),
    })
    .map((spec) => ({ container: {}, spec })),
);

describe("odd Pods", () => {
  it("end nothing, whatever they hold", () => {
    let taken = 0;
    fc.assert(
      fc.property(source, source, fc.array(oddity, { minLength: 1, maxLength: 3 }), (v, w, oddities) => {
        const cluster = startedCluster();
        cluster.client.create(configMaps, { metadata: { name: "c", namespace: "default" }, data: { "nginx.conf": "x" } });
        const container = Object.assign(
          { name: "c", image: "busybox:1.36", command: ["sleep", "5"] },
          ...oddities.map((odd) => odd.container),
        );
        const spec = Object.assign({}, ...oddities.map((odd) => odd.spec), {
          containers: [container],
          initContainers: [{ name: "i", image: "busybox:1.36", command: ["true"], volumeMounts: container.volumeMounts }],
          volumes: [
            { name: "v", ...v },
            { name: "w", ...w },
          ],
        });
        try {
          cluster.createPod("odd", clean(spec));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).code).not.toBe(500);
          return;
        }
        taken += 1;
        cluster.createPod("plain", {});
        cluster.untilReady("plain");
        cluster.simulation.advance(40_000);
        cluster.client.delete(pods, { namespace: "default", name: "odd" }, { gracePeriodSeconds: 1 });
        cluster.simulation.advance(60_000);
        expect(cluster.hasPod("odd")).toBe(false);
      }),
      { numRuns: 200 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
