// What kube-proxy and the kubelet do when somebody has cleared a node's tables by hand.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const tables = ["filter", "nat", "mangle"];
const clear = (...names: readonly string[]): string =>
  names.map((table) => `iptables -t ${table} -F; iptables -t ${table} -X`).join("; ");

describe("a node whose tables are cleared", () => {
  let world: World;
  let learner: TypingLearner;
  let ip: string;
  const onNode = (command: string): string => learner.run(`ssh node-1 '${command}'`);
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const answers = (): string => onNode(`curl -s -m 1 -o /dev/null -w "%{http_code}" http://${ip}; echo`).trim();
  const count = (pattern: string): number => Number(onNode(`iptables-save | grep -c -e "${pattern}"`).trim());
  const log = (): string =>
    learner.run(
      "kubectl logs -n kube-system $(kubectl get pods -n kube-system -l k8s-app=kube-proxy -o name --field-selector spec.nodeName=node-1)",
    );

  beforeEach(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    learner = sitDown(world, { columns: 200 });
    learner.run("kubectl create deployment web --image=nginx:1.27; kubectl expose deployment web --port=80");
    learner.run("kubectl wait --for=condition=Available deployment/web --timeout=120s");
    ip = learner.run("kubectl get service web -o jsonpath='{.spec.clusterIP}'; echo").trim();
    wait(5);
    expect(answers()).toBe("200");
  });

  it("[NET-149] gets all rules back within thirty seconds when the canaries are gone with the rest", () => {
    const before = onNode("iptables-save | grep -v ^#").split("\n");
    expect(onNode(clear(...tables))).toBe("\n");
    expect(answers()).toBe("000");
    expect(count("KUBE")).toBe(0);
    wait(30);
    expect(answers()).toBe("200");
    expect(count("KUBE-PROXY-CANARY")).toBe(3);
    wait(60);
    expect(onNode("iptables-save | grep -v ^#").split("\n").toSorted()).toEqual(before.toSorted());
    expect(log()).not.toContain("Inconsistent");
    onNode(clear(...tables));
    wait(30);
    expect(answers()).toBe("200");
  });

  it("[NET-149] is left alone for an hour when only rules are gone: the canary is a chain, and looked for in mangle only", () => {
    onNode("iptables -t nat -F");
    expect(count("^:KUBE-PROXY-CANARY")).toBe(3);
    wait(300);
    expect(answers()).toBe("000");
    wait(3300);
    expect(answers()).toBe("200");
  });

  it("writes at a change the chains of what has changed, and those that all Services share; jumps only in a full sync", () => {
    learner.run("kubectl create deployment other --image=nginx:1.27; kubectl expose deployment other --port=80");
    learner.run("kubectl wait --for=condition=Available deployment/other --timeout=120s");
    wait(5);
    onNode("iptables -t nat -F");
    learner.run("kubectl scale deployment web --replicas=2; kubectl rollout status deployment/web");
    wait(5);
    expect(count("default/web -> ")).toBe(2);
    expect(count("default/other -> ")).toBe(0);
    expect(count("default/other cluster IP")).toBe(1);
    expect(count("-A PREROUTING")).toBe(0);
    expect(answers()).toBe("000");
    learner.run("kubectl delete pod -n kube-system -l k8s-app=kube-proxy --field-selector spec.nodeName=node-1 --now");
    wait(10);
    expect(count("default/other -> ")).toBe(1);
    expect(answers()).toBe("200");
  });

  it("fails at a change when chains are gone that it leads to, and writes everything half a minute later", () => {
    onNode(clear("nat"));
    wait(60);
    expect(answers()).toBe("000");
    learner.run(`kubectl patch service web -p '{"spec":{"sessionAffinity":"ClientIP"}}'`);
    wait(5);
    expect(answers()).toBe("000");
    expect(log()).toMatch(
      /E\d{4} \S+ +1 proxier\.go:1405\] "Failed to execute iptables-restore" err=<\n\s*exit status 4: iptables-restore v1\.8\.11 \(nf_tables\):\s*\n(?:\s*line \d+: RULE_APPEND failed \(No such file or directory\): rule in chain KUBE-SERVICES\n)+ > ipFamily="IPv4"\nI\d{4} \S+ +1 proxier\.go:673\] "Sync failed" ipFamily="IPv4" retryingTime="30s"\n/u,
    );
    wait(30);
    expect(answers()).toBe("200");
    expect(count("KUBE-PROXY-CANARY")).toBe(2);
  });

  it("is reloaded after five seconds more when only mangle has lost its canary", () => {
    onNode("iptables -t nat -F; iptables -t mangle -X KUBE-PROXY-CANARY");
    wait(36);
    expect(answers()).toBe("200");
    expect(count("KUBE-PROXY-CANARY")).toBe(3);
    expect(log()).toContain('"Inconsistent iptables state detected"\n');
  });

  it("leaves its Pods without names, for DNS is a Service, too", () => {
    learner.run('kubectl run client --image=busybox:1.36 --overrides=\'{"spec":{"nodeName":"node-1"}}\' -- sleep 3600');
    learner.run("kubectl wait --for=condition=Ready pod/client");
    onNode("iptables -t nat -F");
    expect(learner.run("kubectl exec client -- wget -qO- -T 2 http://web")).toContain("wget: bad address 'web'");
  });
});
