// What CoreDNS logs: at its start, of queries, when its Corefile changes, and when it ends.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const sum =
  "[INFO] plugin/reload: Running configuration SHA512 = 1b226df79860026c6a52e67daa10d7f0d57ec5b023288ec00c5e05f93523c894564e15b91770d3a07ae1cfbe861d15b37d4a0027e69c546ab112970993a3b03b";

function sitting() {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 240, rows: 60 });
  const log = (more = ""): readonly string[] =>
    learner.run(`kubectl logs -n kube-system -l k8s-app=kube-dns --tail=-1 ${more}`).trimEnd().split("\n");
  /** Puts words into the Corefile of the ConfigMap, and waits until all Pods have it. */
  const edit = (script: string): void => {
    learner.run(`kubectl get configmap -n kube-system coredns -o yaml | sed '${script}' | kubectl replace -f -`);
    world.simulation.advance(120_000);
  };
  return { world, log, edit, ...learner };
}

describe("CoreDNS's log", () => {
  it("tells of its start", () => {
    const { log, run } = sitting();
    const processors = run("ssh control-plane nproc").trim();
    const start = [
      `maxprocs: Leaving GOMAXPROCS=${processors}: CPU quota undefined`,
      ".:53",
      sum,
      "CoreDNS-1.13.1",
      "linux/amd64, go1.25.2, 1db4568",
    ];
    expect(log()).toEqual([...start, ...start]);
  });

  it("is there still when CoreDNS has ended before anybody read it", () => {
    const { world, run } = sitting();
    run("ssh control-plane 'crictl stop $(crictl ps -q --name coredns)'");
    world.simulation.advance(30_000);
    const name = run("kubectl get pods -n kube-system -l k8s-app=kube-dns -o wide | grep control-plane | cut -d' ' -f1").trim();
    expect(run(`kubectl logs -n kube-system ${name} --previous`).split("\n").slice(1, 3)).toEqual([".:53", sum]);
  });

  it("[NET-186] has a line for each query where the Corefile says log, from the next look at the file on", () => {
    const { log, edit, run } = sitting();
    run("kubectl run box --image=busybox:1.36 -- sleep 1d; kubectl wait pod/box --for=condition=Ready");
    edit("s/  errors$/  errors\\n        log/");
    expect(log("--since=2m --tail=3")).toEqual(
      [0, 1].flatMap(() => [
        "[INFO] Reloading",
        expect.stringMatching(/^\[INFO\] plugin\/reload: Running configuration SHA512 = 2dd49c56[0-9a-f]{120}$/u),
        "[INFO] Reloading complete",
      ]),
    );
    const address = run("kubectl get pod box -o jsonpath='{.status.podIP}'; echo").trim();
    for (const name of ["kubernetes.default.svc.cluster.local", "gone.default.svc.cluster.local", "example.com"])
      run(`kubectl exec box -- nslookup -type=a ${name}.`);
    const queries = log("--since=1m").filter((line) => line.includes(`[INFO] ${address}:`));
    const shapes = queries.map((line) => line.replace(/:\d+ - \d+ /u, " ").replace(/0\.\d+s$/u, "TIME"));
    expect(shapes.sort()).toEqual([
      `[INFO] ${address} "A IN example.com. udp 29 false 512" NOERROR qr,rd,ra 56 TIME`,
      `[INFO] ${address} "A IN gone.default.svc.cluster.local. udp 48 false 512" NXDOMAIN qr,aa,rd 141 TIME`,
      `[INFO] ${address} "A IN kubernetes.default.svc.cluster.local. udp 54 false 512" NOERROR qr,aa,rd 106 TIME`,
    ]);
  });

  it("[NET-186] tells that an edited ConfigMap counts, once the kubelet has it and the file is looked at: within two minutes", () => {
    const { log, world, run } = sitting();
    run("kubectl get configmap -n kube-system coredns -o yaml | sed 's/  errors$/  errors\\n        log/' | kubectl replace -f -");
    const sinceMs = world.simulation.nowMs;
    const taken = (): number => log().filter((line) => line === "[INFO] Reloading complete").length;
    const times: number[] = [];
    while (times.length < 2 && world.simulation.nowMs - sinceMs < 300_000) {
      world.simulation.advance(1_000);
      while (times.length < taken()) times.push((world.simulation.nowMs - sinceMs) / 1_000);
    }
    const [first = 0, last = 0] = times;
    expect(first).toBeGreaterThan(1);
    expect(last).toBeLessThan(130);
    expect(first).not.toBe(last);
  });

  it("says why a Corefile is not taken, and the servers go on", () => {
    const { log, edit, run } = sitting();
    edit("s/  errors$/  errors\\n        logs/");
    const cause = "/etc/coredns/Corefile:3 - Error during parsing: Unknown directive 'logs'";
    expect(log("--tail=3").slice(0, 3)).toEqual([
      "[INFO] Reloading",
      `[ERROR] Restart failed: ${cause}`,
      `[ERROR] plugin/reload: Corefile changed but reload failed: starting with listener file descriptors: ${cause}`,
    ]);
    expect(run("kubectl run box --rm -i --image=busybox:1.36 --restart=Never -- nslookup kubernetes.default")).toContain(
      "10.96.0.1",
    );
    run("kubectl delete pod -n kube-system -l k8s-app=kube-dns");
    run("sleep 20");
    expect(run("kubectl get pods -n kube-system -l k8s-app=kube-dns --no-headers")).toMatch(/0\/1 +(Error|CrashLoopBackOff)/u);
    expect(log()[1]).toBe(cause);
  });

  it("tells of its end, for which it takes its time", () => {
    const { world, run, press } = sitting();
    const name = run("kubectl get pods -n kube-system -l k8s-app=kube-dns -o jsonpath='{.items[0].metadata.name}'; echo").trim();
    press(`kubectl logs -n kube-system -f --tail=0 ${name} > log &\r`);
    press(`kubectl delete --wait=false pod -n kube-system ${name}\r`);
    world.simulation.advance(2_000);
    expect(run("kubectl get pods -n kube-system")).toMatch(new RegExp(`${name} +1/1 +Terminating`, "u"));
    world.simulation.advance(3_000);
    run("wait");
    expect(run("cat log").trimEnd().split("\n")).toEqual([
      "[INFO] SIGTERM: Shutting down servers then terminating",
      "[INFO] plugin/health: Going into lameduck mode for 5s",
    ]);
    expect(run("kubectl get pods -n kube-system")).not.toContain(name);
  });

  it("tells that it waits for an API server that is away, and that it begins without", () => {
    const { run, log, world } = sitting();
    run("ssh control-plane mv /etc/kubernetes/manifests/kube-apiserver.yaml /root/; sleep 5");
    run("ssh control-plane 'crictl stop $(crictl ps -q --name coredns)'");
    world.simulation.advance(60_000);
    run("ssh control-plane mv /root/kube-apiserver.yaml /etc/kubernetes/manifests/");
    world.simulation.advance(60_000);
    const waits = "[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server";
    const unready = '[INFO] plugin/ready: Plugins not ready: "kubernetes"';
    const lines = log().slice(1);
    expect(lines).toContain(unready);
    expect(lines.filter((line) => line !== unready).slice(0, 12)).toEqual([
      ...Array.from({ length: 9 }, () => waits),
      "[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API",
      ".:53",
      sum,
    ]);
  });
});
