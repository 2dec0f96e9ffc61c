// What the API server's static Pod's manifest tells it to admit: admission plugins, privileged containers.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";

function start() {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world);
  const setPlugins = (plugins: string): void => {
    learner.run(`ssh control-plane "sed -i 's/enable-admission-plugins=.*/enable-admission-plugins=${plugins}/' ${manifest}"`);
    world.simulation.advance(60_000);
  };
  return { world, learner, setPlugins };
}

describe("the API server's admission plugins", () => {
  it("[POD-013] AlwaysPullImages has every new Pod ask the registry, from the restart on", () => {
    const { learner, setPlugins } = start();
    const policyOf = (pod: string) =>
      learner.run(`kubectl get pod ${pod} -o jsonpath='{.spec.containers[0].imagePullPolicy}'; echo`);
    learner.run("kubectl run before --image=busybox:1.36 --image-pull-policy=Never -- sleep 1000");
    setPlugins("NodeRestriction,AlwaysPullImages");
    learner.run("kubectl run after --image=busybox:1.36 --image-pull-policy=Never -- sleep 1000");
    expect([policyOf("before"), policyOf("after")]).toEqual(["Never\n", "Always\n"]);
    setPlugins("NodeRestriction");
    learner.run("kubectl run last --image=busybox:1.36 --image-pull-policy=Never -- sleep 1000");
    expect(policyOf("last")).toBe("Never\n");
  });

  it("that there are not keep it from starting", () => {
    const { world, learner, setPlugins } = start();
    setPlugins("NodeRestriction,AlwaysPulImages");
    expect(learner.run("kubectl get nodes")).toContain("The connection to the server 172.18.0.2:6443 was refused");
    const logs = learner.run("ssh control-plane 'crictl logs $(crictl ps -aq --name kube-apiserver | head -1)'");
    expect(logs).toMatch(
      /^E0115 \S+ +\d+ run\.go:72\] "command failed" err="enable-admission-plugins plugin \\"AlwaysPulImages\\" is unknown"\n$/u,
    );
    setPlugins("NodeRestriction");
    world.simulation.advance(300_000);
    expect(learner.run("kubectl get nodes --no-headers | wc -l")).toBe("2\n");
  });
});

describe("an API server without privileged containers", () => {
  it("[POD-133] takes them neither in Pods nor in templates, and lets others be", () => {
    const { world, learner } = start();
    const allow = (value: string): void => {
      learner.run(`ssh control-plane "sed -i 's/--allow-privileged=.*/--allow-privileged=${value}/' ${manifest}"`);
      world.simulation.advance(60_000);
    };
    const container = { name: "c", image: "nginx:1.27", securityContext: { privileged: true } };
    const run = (name: string): string =>
      learner.run(`kubectl run ${name} --image=nginx:1.27 --overrides='${JSON.stringify({ spec: { containers: [container] } })}'`);
    allow("false");
    expect(run("p")).toBe(
      'The Pod "p" is invalid: spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy\n',
    );
    expect(learner.run("kubectl annotate -n kube-system ds kube-proxy a=b").replaceAll(/\s+/gu, " ")).toBe(
      'The DaemonSet "kube-proxy" is invalid: spec.template.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy ',
    );
    expect(learner.run("kubectl run q --image=nginx:1.27")).toBe("pod/q created\n");
    expect(learner.run("kubectl debug node/node-1 --image=busybox:1.36 --profile=sysadmin -- true")).toContain(
      "disallowed by cluster policy",
    );
    allow("true");
    expect(run("p")).toBe("pod/p created\n");
  });
});
