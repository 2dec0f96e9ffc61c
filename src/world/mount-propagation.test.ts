import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const pod = (name: string, mount: object, container: object = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      nodeName: "node-1",
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name,
          image: "busybox:1.36",
          command: ["sleep", "1d"],
          volumeMounts: [{ name: "base", mountPath: "/base", ...mount }],
          ...container,
        },
      ],
      volumes: [{ name: "base", hostPath: { path: "/srv/base" } }],
    },
  });

function learner(pods: { readonly [name: string]: string }) {
  const files = Object.fromEntries(Object.entries(pods).map(([name, text]) => [`${name}.json`, text]));
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files });
  world.boot();
  const { run } = sitDown(world, { columns: 200 });
  run("ssh node-1 mkdir -p /srv/base/early /srv/base/late /srv/base/own");
  run("ssh node-1 'mount -t tmpfs tmpfs /srv/base/early; echo early > /srv/base/early/file'");
  for (const name of Object.keys(pods)) run(`kubectl apply -f ${name}.json`);
  run("kubectl wait pod --all --for=condition=Ready --timeout=60s");
  return { world, run };
}

describe("a volume of a node's directory", () => {
  it("comes with what is mounted below it, and sees later mounts as its propagation says", () => {
    const { run } = learner({
      none: pod("none", {}),
      follow: pod("follow", { mountPropagation: "HostToContainer" }),
      part: pod("part", { mountPropagation: "HostToContainer", subPath: "late", mountPath: "/late" }),
    });
    run("ssh node-1 'mount -t tmpfs -o size=1m tmpfs /srv/base/late; echo late > /srv/base/late/file'");
    expect(run("kubectl exec none -- find /base -type f")).toBe("/base/early/file\n");
    expect(run("kubectl exec follow -- find /base -type f")).toBe("/base/early/file\n/base/late/file\n");
    expect(run("kubectl exec part -- cat /late/file")).toBe("late\n");
    expect(run("kubectl exec follow -- umount /base/late")).toContain(
      "umount: can't unmount /base/late: Operation not permitted\n",
    );
    run("ssh node-1 umount /srv/base/late");
    expect(run("kubectl exec follow -- find /base -type f")).toBe("/base/early/file\n");
  });

  it("shows the node what a privileged container mounts in it, and leaves that behind", () => {
    const { run } = learner({
      both: pod("both", { mountPropagation: "Bidirectional" }, { securityContext: { privileged: true } }),
      alone: pod("alone", { mountPropagation: "HostToContainer" }, { securityContext: { privileged: true } }),
      follow: pod("follow", { mountPropagation: "HostToContainer" }),
    });
    run("kubectl exec both -- sh -c 'mount -t tmpfs tmpfs /base/own; echo own > /base/own/file'");
    run("kubectl exec alone -- sh -c 'mount -t tmpfs tmpfs /base/late; echo alone > /base/late/file'");
    expect(run("ssh node-1 find /srv/base -type f")).toBe("/srv/base/early/file\n/srv/base/own/file\n");
    expect(run("kubectl exec follow -- find /base -type f")).toBe("/base/early/file\n/base/own/file\n");
    run("kubectl delete pod both");
    expect(run("kubectl exec follow -- cat /base/own/file")).toBe("own\n");
    expect(run("ssh node-1 mount | grep srv/base/own")).toBe("tmpfs on /srv/base/own type tmpfs (rw,relatime)\n");
    run("ssh node-1 umount /srv/base/own");
    expect(run("kubectl exec follow -- ls /base/own")).toBe("\n");
  });

  it("is read-only with what is mounted below it only if that is asked for", () => {
    const status = (name: string) =>
      `kubectl get pod ${name} -o jsonpath='{.status.containerStatuses[0].volumeMounts[0].recursiveReadOnly}{"\\n"}'`;
    const { run } = learner({
      top: pod("top", { readOnly: true }),
      deep: pod("deep", { readOnly: true, recursiveReadOnly: "Enabled" }),
      possible: pod("possible", { readOnly: true, recursiveReadOnly: "IfPossible" }),
    });
    expect(run("kubectl exec top -- touch /base/new")).toContain("touch: /base/new: Read-only file system\n");
    expect(run("kubectl exec top -- touch /base/early/new")).toBe("\n");
    expect(run(status("top"))).toBe("Disabled\n");
    for (const name of ["deep", "possible"]) {
      expect(run(`kubectl exec ${name} -- touch /base/early/new`)).toContain("touch: /base/early/new: Read-only file system\n");
      expect(run(status(name))).toBe("Enabled\n");
    }
  });

  it("has lost what was mounted by hand when the node comes up again", () => {
    const { world, run } = learner({ none: pod("none", {}) });
    run("virsh reset node-1");
    world.simulation.advance(120_000);
    expect(run("ssh node-1 find /srv/base -type f")).toBe("\n");
  });

  it("of an emptyDir, too: what one container mounts, the others see, and it goes with the Pod", () => {
    const container = (name: string, mountPropagation: string, privileged: boolean) => ({
      name,
      image: "busybox:1.36",
      command: ["sleep", "1d"],
      volumeMounts: [{ name: "shared", mountPath: "/shared", mountPropagation }],
      securityContext: { privileged },
    });
    const containers = [
      container("maker", "Bidirectional", true),
      container("reader", "HostToContainer", false),
      container("none", "None", false),
    ];
    const spec = { nodeName: "node-1", terminationGracePeriodSeconds: 0, containers, volumes: [{ name: "shared", emptyDir: {} }] };
    const { run } = learner({
      team: JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "team" }, spec }),
    });
    const onNode = "ssh node-1 'mount | grep empty-dir'";
    run("kubectl exec team -c maker -- sh -c 'mkdir /shared/own; mount -t tmpfs tmpfs /shared/own; echo own > /shared/own/file'");
    expect(run("kubectl exec team -c reader -- cat /shared/own/file")).toBe("own\n");
    expect(run("kubectl exec team -c none -- ls /shared/own")).toBe("\n");
    expect(run(onNode)).toContain("shared/own type tmpfs");
    run("kubectl delete pod team");
    run("sleep 5");
    expect(run(onNode)).toBe("\n");
  });
});
