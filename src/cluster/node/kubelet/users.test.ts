import { describe, expect, it } from "vitest";
import { logOf, shell, startedCluster } from "./kubelet.test-kit.ts";

/** What `id` says in a container, and what its status says. */
function identity(image: string, ofPod: object, ofContainer: object = {}, script = "id") {
  const cluster = startedCluster();
  cluster.createPod("p", {
    restartPolicy: "Never",
    securityContext: ofPod,
    containers: [{ ...shell("c", script), image, securityContext: ofContainer }],
  });
  cluster.simulation.advance(20_000);
  return { printed: logOf(cluster, "p", "c"), linux: cluster.pod("p").status?.containerStatuses?.[0]?.user?.linux };
}

describe("the user and the groups of a container's processes", () => {
  it.each<[string, string, object, object, string, readonly number[]]>([
    ["root of busybox", "busybox:1.37", {}, {}, "uid=0(root) gid=0(root) groups=0(root),10(wheel)\n", [0, 10]],
    [
      "root of Alpine",
      "alpine:3.22",
      {},
      {},
      "uid=0(root) gid=0(root) groups=0(root),1(bin),2(daemon),3(sys),4(adm),6(disk),10(wheel),11(floppy),20(dialout),26(tape),27(video)\n",
      [0, 1, 2, 3, 4, 6, 10, 11, 20, 26, 27],
    ],
    [
      "root of Alpine, with the Pod's groups alone",
      "alpine:3.22",
      { supplementalGroupsPolicy: "Strict", supplementalGroups: [4000] },
      {},
      "uid=0(root) gid=0(root) groups=0(root),4000\n",
      [0, 4000],
    ],
    [
      "a user with groups, by number",
      "busybox:1.37",
      { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000] },
      {},
      "uid=1000 gid=3000 groups=2000,3000,4000\n",
      [2000, 3000, 4000],
    ],
    [
      "a user that the image knows, with its group",
      "busybox:1.37",
      { runAsUser: 65534 },
      {},
      "uid=65534(nobody) gid=65534(nobody) groups=65534(nobody)\n",
      [65534],
    ],
    ["a user that the image does not know", "busybox:1.37", { runAsUser: 1000 }, {}, "uid=1000 gid=0(root) groups=0(root)\n", [0]],
    [
      "the container's own before the Pod's",
      "busybox:1.37",
      { runAsUser: 1000, runAsGroup: 3000 },
      { runAsUser: 2000 },
      "uid=2000 gid=3000 groups=3000\n",
      [3000],
    ],
  ])("are those of %s", (_case, ...row) => {
    const [image, ofPod, ofContainer, printed, groups] = row;
    const found = identity(image, ofPod, ofContainer);
    expect(found.printed).toBe(printed);
    expect(found.linux?.supplementalGroups).toEqual(groups);
  });

  it.each([
    [{}, "f: yes\nt: yes\n"],
    [{ drop: ["ALL"] }, "chown: f: Operation not permitted\nsh: can't create t: Permission denied\n"],
    [{ drop: ["ALL"], add: ["CHOWN"] }, "f: yes\nsh: can't create t: Permission denied\n"],
    [{ drop: ["CHOWN"] }, "chown: f: Operation not permitted\nt: yes\n"],
  ])("let root do what its capabilities are for: %j", (capabilities, printed) => {
    const script =
      "cd /tmp; touch f; exec 2>&1; chown 1000 f && echo f: yes; mkdir d; chmod 555 d; (cd d; echo > t && echo t: yes)";
    expect(identity("busybox:1.37", {}, { capabilities }, script).printed).toBe(printed);
  });

  it("let a process into files of its supplementary groups, in an exec as well", () => {
    const script = "id -G; cd /data && echo x > f && stat -c '%g %a' . f";
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      securityContext: { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000 },
      volumes: [{ name: "data", emptyDir: {} }],
      containers: [{ ...shell("c", script), volumeMounts: [{ name: "data", mountPath: "/data" }] }],
    });
    cluster.simulation.advance(20_000);
    expect(logOf(cluster, "p", "c")).toBe("2000 3000\n2000 2777\n2000 644\n");
  });
});
