// Numbers beyond 2^53 as kubectl sends and prints them.

import { describe, expect, it } from "vitest";
import { kubectlWorld } from "./kubectl.test-kit.ts";

const manifest = `apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: a}
data: {size: 9007199254740995}
revision: 9007199254740993
`;

describe("a number of 64 bits", () => {
  it("is applied, printed and changed with all its digits", () => {
    const { run, write } = kubectlWorld();
    write("/root/a.yaml", manifest);
    expect(run("apply -f /root/a.yaml")).toMatchObject({ code: 0 });
    expect(run("get controllerrevision a -o yaml").stdout).toContain("\nrevision: 9007199254740993\n");
    expect(run("get controllerrevision a -o yaml").stdout).toContain('"revision":9007199254740993');
    expect(run("get controllerrevision a -o json").stdout).toContain('"revision": 9007199254740993');
    expect(run("get controllerrevision a -o jsonpath={.revision},{.data}").stdout).toBe(
      '9007199254740993,{"size":9007199254740995}',
    );
    expect(run("get controllerrevision a -o custom-columns=R:.revision --no-headers").stdout).toBe("9007199254740993\n");
    expect(run("get controllerrevision a --no-headers").stdout).toMatch(/^a +<none> +9007199254740993 /);
    // Templates see encoding/json's floats.
    expect(run("get controllerrevision a -o go-template={{.revision}}").stdout).toBe("9.007199254740992e+15");
    write("/root/a.yaml", manifest.replace("0993", "0994"));
    expect(run("apply -f /root/a.yaml").stdout).toBe("controllerrevision.apps/a configured\n");
    expect(run("apply -f /root/a.yaml").stdout).toBe("controllerrevision.apps/a unchanged\n");
    expect(
      run(`patch controllerrevision a --type=merge -p '{"revision":9223372036854775807}' -o jsonpath={.revision}`).stdout,
    ).toBe("9223372036854775807");
  });

  it("is a revision of a rollout like any other", () => {
    const { run } = kubectlWorld();
    run("create deployment web --image=nginx");
    const uid = run("get deployment web -o jsonpath={.metadata.uid}").stdout;
    const setOf = (name: string, revision: string) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name,
        namespace: "default",
        labels: { app: "web" },
        annotations: { "deployment.kubernetes.io/revision": revision },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, controller: true }],
      },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: name }] } },
      },
    });
    for (const [name, revision] of [
      ["old", "9007199254740992"],
      ["new", "9007199254740993"],
    ] as const) {
      expect(run("create -f -", { stdin: JSON.stringify(setOf(name, revision)) })).toMatchObject({ code: 0 });
    }
    expect(run("rollout history deployment/web").stdout).toContain("9007199254740992  <none>\n9007199254740993  <none>\n");
    expect(run("rollout history deployment/web --revision=9007199254740993").stdout).toContain("Image:\tnew");
    expect(run("rollout undo deployment/web --to-revision=9007199254740992 --dry-run=client").stdout).toContain("Image:\told");
  });
});
