import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../../http/http-call.test-kit.ts";
import { startServer } from "../../test-server.test-kit.ts";
import { detailText, podView, violationsOf } from "./pod-security-checks.ts";
import { levelText, policyOf } from "./pod-security-levels.ts";

const latest = Number.POSITIVE_INFINITY;
const plain = { name: "web", image: "nginx" };

/** A Pod that the restricted level has nothing against. */
const hardened = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [{ ...plain, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }],
} as const;

function withContext(securityContext: object): PodSpec {
  return { containers: [{ ...plain, securityContext }] } as PodSpec;
}

const restrictedTexts = {
  escalation: 'allowPrivilegeEscalation != false (container "web" must set securityContext.allowPrivilegeEscalation=false)',
  capabilities: 'unrestricted capabilities (container "web" must set securityContext.capabilities.drop=["ALL"])',
  nonRoot: 'runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true)',
  seccomp:
    'seccompProfile (pod or container "web" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
};
const allRestricted = Object.values(restrictedTexts).join(", ");

describe("checks of the baseline level", () => {
  it.each<[string, object, string]>([
    ["nothing", { containers: [plain] }, ""],
    [
      "host namespaces",
      { hostNetwork: true, hostPID: true, hostIPC: true, containers: [plain] },
      "host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)",
    ],
    ["privileged", withContext({ privileged: true }), 'privileged (container "web" must not set securityContext.privileged=true)'],
    [
      "capabilities",
      withContext({ capabilities: { add: ["SYS_TIME", "CHOWN", "NET_ADMIN"] } }),
      'non-default capabilities (container "web" must not include "NET_ADMIN", "SYS_TIME" in securityContext.capabilities.add)',
    ],
    [
      "host path volumes",
      {
        containers: [plain],
        volumes: [
          { name: "a", hostPath: { path: "/" } },
          { name: "b", hostPath: { path: "/" } },
        ],
      },
      'hostPath volumes (volumes "a", "b")',
    ],
    [
      "host ports",
      {
        containers: [
          { ...plain, ports: [{ containerPort: 80, hostPort: 8080 }] },
          { name: "log", image: "x", ports: [{ containerPort: 81, hostPort: 443 }] },
        ],
      },
      'hostPort (containers "web", "log" use hostPorts 443, 8080)',
    ],
    [
      "hosts of probes and hooks",
      {
        containers: [
          {
            ...plain,
            livenessProbe: { httpGet: { host: "10.0.0.1", port: 80 } },
            lifecycle: { preStop: { tcpSocket: { host: "h", port: 1 } } },
          },
        ],
      },
      'probe or lifecycle host (container "web" uses probe or lifecycle hosts "10.0.0.1", "h")',
    ],
    [
      "AppArmor",
      { securityContext: { appArmorProfile: { type: "Unconfined" } }, containers: [plain] },
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
    [
      "proc mount",
      withContext({ procMount: "Unmasked" }),
      'procMount (container "web" must not set securityContext.procMount to "Unmasked")',
    ],
    ["proc mount in a user namespace", { ...withContext({ procMount: "Unmasked" }), hostUsers: false }, ""],
    [
      "SELinux options",
      {
        securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } },
        containers: [{ ...plain, securityContext: { seLinuxOptions: { role: "r" } } }],
      },
      'seLinuxOptions (pod and container "web" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
    ],
    [
      "seccomp",
      { securityContext: { seccompProfile: { type: "Unconfined" } }, containers: [plain] },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      "sysctls",
      { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] }, containers: [plain] },
      "forbidden sysctls (kernel.msgmax)",
    ],
    [
      "Windows host process",
      { securityContext: { windowsOptions: { hostProcess: true } }, containers: [plain] },
      "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
    ],
    [
      "several, in the order of the checks' names",
      { hostNetwork: true, containers: [{ ...plain, securityContext: { privileged: true } }] },
      'host namespaces (hostNetwork=true), privileged (container "web" must not set securityContext.privileged=true)',
    ],
  ])("%s", (_title, spec, text) => {
    expect(detailText(violationsOf({ level: "baseline", minor: latest }, podView(spec as PodSpec, undefined)))).toBe(text);
  });

  it.each<[number, PodSpec, { readonly [key: string]: string }, string]>([
    [
      26,
      { containers: [plain], securityContext: { sysctls: [{ name: "net.ipv4.ip_local_reserved_ports", value: "1" }] } },
      {},
      "forbidden sysctls (net.ipv4.ip_local_reserved_ports)",
    ],
    [27, { containers: [plain], securityContext: { sysctls: [{ name: "net.ipv4.ip_local_reserved_ports", value: "1" }] } }, {}, ""],
    [
      34,
      { ...withContext({ procMount: "Unmasked" }), hostUsers: false },
      {},
      'procMount (container "web" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      30,
      withContext({ seLinuxOptions: { type: "container_engine_t" } }),
      {},
      'seLinuxOptions (container "web" set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
    ],
    [31, withContext({ seLinuxOptions: { type: "container_engine_t" } }), {}, ""],
    [33, { containers: [{ ...plain, livenessProbe: { httpGet: { host: "h", port: 80 } } }] }, {}, ""],
    [
      18,
      { containers: [plain] },
      { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" },
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ],
    [
      36,
      { containers: [plain] },
      { "container.apparmor.security.beta.kubernetes.io/web": "unconfined" },
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/web="unconfined"")',
    ],
  ])("of v1.%i", (minor, spec, annotations, text) => {
    expect(detailText(violationsOf({ level: "baseline", minor }, podView(spec, annotations)))).toBe(text);
  });
});

describe("checks of the restricted level", () => {
  it.each<[string, number, object, string]>([
    ["a plain Pod", latest, { containers: [plain] }, allRestricted],
    ["a hardened Pod", latest, hardened, ""],
    [
      "one that adds capabilities",
      latest,
      {
        ...hardened,
        containers: [
          {
            ...plain,
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"], add: ["CHOWN", "NET_BIND_SERVICE"] },
            },
          },
        ],
      },
      'unrestricted capabilities (container "web" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
    [
      "restricted volumes",
      latest,
      {
        ...hardened,
        volumes: [
          { name: "a", nfs: { server: "s", path: "/" } },
          { name: "b", emptyDir: {} },
          { name: "c", hostPath: { path: "/" } },
        ],
      },
      'restricted volume types (volumes "a", "c" use restricted volume types "hostPath", "nfs")',
    ],
    [
      "root by number",
      latest,
      { ...hardened, securityContext: { ...hardened.securityContext, runAsUser: 0 } },
      "runAsUser=0 (pod must not set runAsUser=0)",
    ],
    [
      "root by name",
      latest,
      { ...hardened, securityContext: { ...hardened.securityContext, runAsNonRoot: false } },
      "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
    ],
    [
      "[POD-418] root in a user namespace",
      latest,
      { ...hardened, hostUsers: false, securityContext: { ...hardened.securityContext, runAsUser: 0, runAsNonRoot: false } },
      "",
    ],
    [
      "root in a user namespace, before",
      34,
      { ...hardened, hostUsers: false, securityContext: { ...hardened.securityContext, runAsUser: 0 } },
      "runAsUser=0 (pod must not set runAsUser=0)",
    ],
    ["a Windows Pod", latest, { os: { name: "windows" }, containers: [plain] }, restrictedTexts.nonRoot],
    ["a plain Pod by the rules of v1.0", 0, { containers: [plain] }, restrictedTexts.nonRoot],
    [
      "a plain Pod by the rules of v1.21",
      21,
      { containers: [plain] },
      [restrictedTexts.escalation, restrictedTexts.nonRoot, restrictedTexts.seccomp].join(", "),
    ],
  ])("%s", (_title, minor, spec, text) => {
    expect(detailText(violationsOf({ level: "restricted", minor }, podView(spec as PodSpec, undefined)))).toBe(text);
  });
});

describe("labels of namespaces", () => {
  it.each<[{ readonly [mode: string]: string }, string]>([
    [{}, "privileged:latest privileged:latest privileged:latest"],
    [{ enforce: "baseline" }, "baseline:latest privileged:latest baseline:latest"],
    [{ enforce: "restricted", "enforce-version": "v1.31" }, "restricted:v1.31 privileged:latest restricted:v1.31"],
    [{ enforce: "restricted", warn: "baseline" }, "restricted:latest privileged:latest baseline:latest"],
    [{ enforce: "restricted", "warn-version": "v1.20" }, "restricted:latest privileged:latest restricted:v1.20"],
    [{ audit: "restricted", "audit-version": "latest" }, "privileged:latest restricted:latest privileged:latest"],
    [{ enforce: "strict", audit: "strict", warn: "strict" }, "restricted:latest privileged:latest privileged:latest"],
  ])("%j", (modes, text) => {
    const labels = Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
    const { enforce, audit, warn } = policyOf(labels);
    expect([enforce, audit, warn].map(levelText).join(" ")).toBe(text);
  });
});

function start(labels: { readonly [mode: string]: string }) {
  const { server } = startServer();
  const send = (method: string, path: string, body: JsonValue, type = "application/json"): TestReply =>
    exchange(server, method, path, body, { "content-type": type });
  const label = (modes: { readonly [mode: string]: string }): TestReply => {
    const entries = Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]);
    return send(
      "PATCH",
      "/api/v1/namespaces/shop",
      { metadata: { labels: Object.fromEntries(entries) } },
      "application/merge-patch+json",
    );
  };
  send("POST", "/api/v1/namespaces", { metadata: { name: "shop" } });
  label(labels);
  const pod = (spec: object, name = "web", query = ""): TestReply =>
    send("POST", `/api/v1/namespaces/shop/pods${query}`, { metadata: { name }, spec } as JsonValue);
  return { send, label, pod };
}

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [plain] } };

describe("PodSecurity", () => {
  it("[POD-132] refuses Pods that break the enforced level", () => {
    const { pod } = start({ enforce: "restricted" });
    const reply = pod({ containers: [plain] });
    expect([reply.status, json(reply)["message"]]).toEqual([
      403,
      `pods "web" is forbidden: violates PodSecurity "restricted:latest": ${allRestricted}`,
    ]);
    expect(pod(hardened).status).toBe(201);
  });

  it("warns of what only the warned level forbids", () => {
    const { pod } = start({ enforce: "baseline", warn: "restricted", "warn-version": "v1.36" });
    const reply = pod({ containers: [plain] });
    const text = `would violate PodSecurity "restricted:v1.36": ${allRestricted}`;
    expect([reply.status, reply.headers["warning"]]).toEqual([201, `299 - ${JSON.stringify(text)}`]);
  });

  it.each<[string, string, string, JsonValue]>([
    ["apps/v1", "deployments", "Deployment", { selector: { matchLabels: { a: "b" } }, template }],
    ["batch/v1", "jobs", "Job", { template: { spec: { ...template.spec, restartPolicy: "Never" } } }],
    [
      "batch/v1",
      "cronjobs",
      "CronJob",
      { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } } },
    ],
  ])("accepts %s %s with a warning", (groupVersion, plural, kind, spec) => {
    const { send } = start({ enforce: "restricted" });
    const path = `/apis/${groupVersion}/namespaces/shop/${plural}`;
    const reply = send("POST", path, { apiVersion: groupVersion, kind, metadata: { name: "web" }, spec });
    const text = `would violate PodSecurity "restricted:latest": ${allRestricted}`;
    expect([reply.status, reply.headers["warning"]]).toEqual([201, `299 - ${JSON.stringify(text)}`]);
  });

  it("checks a changed image again, other changes not", () => {
    const { label, pod, send } = start({});
    pod({ containers: [plain] });
    label({ enforce: "restricted" });
    const path = "/api/v1/namespaces/shop/pods/web";
    const strategic = "application/strategic-merge-patch+json";
    expect(send("PATCH", path, { metadata: { labels: { a: "b" } } }, strategic).status).toBe(200);
    expect(send("PATCH", path, { spec: { containers: [{ name: "web", image: "nginx:2" }] } }, strategic).status).toBe(403);
  });

  it("tells who labels a namespace of Pods that break the new level", () => {
    const { label, pod } = start({});
    pod({ containers: [plain] }, "b");
    pod({ containers: [plain] }, "a");
    pod({ hostNetwork: true, ...hardened }, "host");
    const reply = label({ enforce: "restricted" });
    expect([reply.status, reply.headers["warning"]]).toEqual([
      200,
      [
        '299 - "existing pods in namespace \\"shop\\" violate the new PodSecurity enforce level \\"restricted:latest\\""',
        '299 - "a (and 1 other pod): allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile"',
        '299 - "host: host namespaces"',
      ].join(", "),
    ]);
    expect(label({ enforce: "baseline" }).headers["warning"]).toBeUndefined();
  });

  it("refuses labels that mean nothing", () => {
    const { label, send } = start({});
    expect(json(label({ enforce: "strict" }))["message"]).toBe(
      'Namespace "shop" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
    const created = send("POST", "/api/v1/namespaces", {
      metadata: { name: "x", labels: { "pod-security.kubernetes.io/warn-version": "1.30" } },
    });
    expect(json(created)["message"]).toBe(
      'Namespace "x" is invalid: metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"',
    );
  });
});
