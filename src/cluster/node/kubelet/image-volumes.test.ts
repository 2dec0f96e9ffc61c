// Volumes that are images: pulls, mounts, and what a Pod says when there is none.

import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

function started(
  script: string,
  image: { reference: string; pullPolicy?: string },
  mount: object = {},
  more: Partial<PodSpec> = {},
) {
  const cluster = startedCluster();
  cluster.createPod("p", {
    restartPolicy: "Never",
    volumes: [{ name: "content", image }],
    containers: [shell("c", script, { volumeMounts: [{ name: "content", mountPath: "/content", ...mount }] })],
    ...more,
  });
  cluster.simulation.advance(40_000);
  return cluster;
}

const nginx = { reference: "nginx:1.27", pullPolicy: "IfNotPresent" };

describe("[NET-303] a volume that is an image", () => {
  it("is the image's tree, and nobody can write into it", () => {
    const script = "exec 2>&1; head -1 /content/usr/share/nginx/html/index.html; touch /content/x; ls /usr/share/nginx";
    const cluster = started(script, nginx);
    expect(logOf(cluster, "p", "c")).toBe(
      "<!DOCTYPE html>\ntouch: /content/x: Read-only file system\nls: /usr/share/nginx: No such file or directory\n",
    );
    const about = 'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod';
    expect(cluster.eventsOf("p")).toContain(about);
  });

  it("is pulled before its containers' images", () => {
    const cluster = started("true", { reference: "httpd:2.4", pullPolicy: "Always" });
    const events = cluster.eventsOf("p").filter((event) => /Pull/u.test(event));
    expect(events.map((event) => event.replace(/ in .*/u, ""))).toEqual([
      'Normal Pulling Pulling image "httpd:2.4"',
      'Normal Pulled Successfully pulled image "httpd:2.4"',
      'Normal Pulled Container image "busybox:1.36" already present on machine and can be accessed by the pod',
    ]);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: Completed 0");
  });

  it("can be a directory of it", () => {
    expect(logOf(started("ls /content", nginx, { subPath: "usr/share/nginx/html" }), "p", "c")).toBe("50x.html\nindex.html\n");
  });

  it.each([
    ["nosuch", "openat nosuch: no such file or directory"],
    [
      "usr/share/nginx/html/index.html",
      'only directory subpath is supported, subpath: "usr/share/nginx/html/index.html", mountpoint: ',
    ],
  ])("keeps its container from being created where a directory is not there: %s", (subPath, cause) => {
    const cluster = started("true", nginx, { subPath });
    const { reason, message } = statusOf(cluster, "p", "c")?.state?.waiting ?? {};
    expect(reason).toBe("CreateContainerError");
    expect(message).toMatch(/^failed to mount image volume: ImageVolumeMountFailed: failed to ensure image subpath "/u);
    expect(message).toContain(cause);
  });

  it.each([
    ["Never", "ErrImageNeverPull", 'Container image "nosuch:1" is not present with pull policy of Never'],
    ["IfNotPresent", "ImagePullBackOff", 'Back-off pulling image "nosuch:1": ErrImagePull: '],
  ])("keeps its containers waiting while it is not there: %s", (pullPolicy, reason, message) => {
    const cluster = started("true", { reference: "nosuch:1", pullPolicy });
    const { waiting } = statusOf(cluster, "p", "c")?.state ?? {};
    expect(waiting?.reason).toBe(reason);
    expect(waiting?.message?.startsWith(message)).toBe(true);
    expect(cluster.eventsOf("p").some((event) => event.startsWith(`Warning Failed Error: ${reason}`))).toBe(true);
  });

  it("does not concern containers that do not mount it", () => {
    const cluster = started("true", { reference: "nosuch:1", pullPolicy: "Never" }, {}, { containers: [shell("c", "echo hello")] });
    expect(logOf(cluster, "p", "c")).toBe("hello\n");
  });
});
