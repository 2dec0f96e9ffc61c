// The process of the cloud's controller manager: its command line, its Lease, its health, its routes; and the cloud's own command line.

import { describe, expect, it } from "vitest";
import { cloudWorld, managerFlags, rulesWithout } from "./cloud.test-kit.ts";

/** Its last container, and how it ended. */
function started(flags: readonly string[]) {
  const made = cloudWorld({}, { nodes: 1, manager: { flags } });
  made.startManager();
  const state = made.learner.run(
    "kubectl get pods -n kube-system -l app=ccm -o jsonpath='{.items[0].status.containerStatuses[0].lastState.terminated.exitCode}{\"\\n\"}'",
  );
  return { ...made, exitCode: state.trim() };
}

describe("the command line", () => {
  it.each([
    [["--cloud-config-file=/x"], "1", "Error: unknown flag: --cloud-config-file\n"],
    [["--v=2"], "1", 'E "command failed" err="--cloud-provider cannot be empty"\n'],
    [["--cloud-provider=aws"], "255", 'F Cloud provider could not be initialized: unknown cloud provider "aws"\n'],
    [["--cloud-provider=external"], "255", "F Cloud provider is nil\n"],
    [
      ["--cloud-provider=sim", "--controllers=*,-node"],
      "1",
      'E "command failed" err="\\"node\\" is not in the list of known controllers"\n',
    ],
    [
      ["--cloud-provider=sim", "--node-monitor-period=5"],
      "1",
      'Error: invalid argument "5" for "--node-monitor-period" flag: time: missing unit in duration "5"\n',
    ],
    [["--cloud-provider=sim", "--kubeconfig=/etc/x"], "1", 'E "command failed" err="--kubeconfig=/etc/x: not simulated"\n'],
  ])("refuses %j", (flags, code, expected) => {
    const { exitCode, log } = started(flags);
    expect(exitCode).toBe(code);
    expect(log()).toBe(expected);
  });

  it("warns of what it knows and does nothing with", () => {
    const { log } = started([...managerFlags, "--concurrent-service-syncs=3", "--allocate-node-cidrs=true", "--leader-elect=true"]);
    expect(log().match(/^W .*no effect$/gmu)).toEqual(["W --concurrent-service-syncs=3: not simulated, has no effect"]);
  });

  it("[API-302] ends without a range for its routes, unless it makes none", () => {
    const { exitCode, learner } = started(["--cloud-provider=sim"]);
    expect(exitCode).toBe("255");
    expect(learner.run("kubectl logs -n kube-system deploy/cloud-controller-manager --previous")).toMatch(
      /^F\S+ .*\] error running controllers: invalid CIDR\[0\]: <nil> \(invalid CIDR address: \)$/m,
    );
    const without = started(["--cloud-provider=sim", "--configure-cloud-routes=false"]);
    expect(without.exitCode).toBe("");
    expect(without.log()).toContain("I Will not configure cloud provider routes, --configure-cloud-routes: false\n");
    expect(without.learner.run("simcloud routes")).toBe("No routes.\n");
  });

  it("runs the controllers that --controllers names", () => {
    const { learner, wait, log, service, startManager } = cloudWorld(
      { uninitialized: ["node-1"] },
      { nodes: 1, manager: { flags: [...managerFlags, "--controllers=cloud-node,cloud-node-lifecycle-controller"] } },
    );
    startManager();
    learner.run("kubectl create service loadbalancer web --tcp=80");
    wait(30);
    expect(log()).toContain('W "service-lb-controller" is disabled\n');
    expect(log()).toContain("Successfully initialized node node-1 with cloud provider\n");
    expect(service("web")?.status?.loadBalancer).toEqual({});
    expect(learner.run("simcloud routes")).toBe("No routes.\n");
  });

  it("[API-300] looks at addresses as often as --node-status-update-frequency says", () => {
    const { learner, node, wait } = started([...managerFlags, "--node-status-update-frequency=10s"]);
    learner.run(`kubectl patch node node-1 --subresource=status --type=merge -p '{"status":{"addresses":[]}}'`);
    wait(11);
    expect(node("node-1")?.status?.addresses?.[0]).toEqual({ type: "InternalIP", address: "172.18.0.3" });
  });
});

describe("the process", () => {
  it("holds a Lease, answers its health checks, and gives way to another when it is gone", () => {
    const { learner, wait, log, startManager } = cloudWorld();
    startManager();
    const holder = () =>
      learner.run("kubectl get lease -n kube-system cloud-controller-manager -o jsonpath='{.spec.holderIdentity}{\"\\n\"}'").trim();
    expect(holder()).toMatch(/^control-plane_/);
    expect(log()).toContain('I "Successfully acquired lease" lock="kube-system/cloud-controller-manager"\n');
    expect(learner.run("ssh control-plane curl -sk https://localhost:10258/healthz; echo")).toBe("ok\n");
    expect(learner.run("ssh control-plane curl -sk https://localhost:10258/metrics")).toContain("only /healthz is simulated");
    const before = holder();
    learner.run("kubectl delete pod -n kube-system -l app=ccm");
    wait(40);
    expect(holder()).not.toBe(before);
    expect(learner.run("kubectl get pods -n kube-system -l app=ccm --no-headers")).toMatch(/1\/1 +Running +0 /);
  });

  it("[API-308] says what it may not read, and does nothing", () => {
    const rules = rulesWithout("nodes");
    const { startManager, log, taints, wait } = cloudWorld({ uninitialized: ["node-3"] }, { manager: { rules } });
    startManager();
    wait(30);
    expect(log()).toContain(
      'E "Failed to watch" err="failed to list *v1.Node: nodes is forbidden: User \\"system:serviceaccount:kube-system:cloud-controller-manager\\" cannot list resource \\"nodes\\" in API group \\"\\" at the cluster scope"',
    );
    expect(taints("node-3")).toEqual(["node.cloudprovider.kubernetes.io/uninitialized"]);
  });

  it("[API-308] leads nothing without a right to Leases", () => {
    const { startManager, log } = cloudWorld({}, { nodes: 1, manager: { rules: rulesWithout("leases") } });
    startManager();
    expect(log()).toMatch(
      /^E "Error retrieving lease lock" err="leases\.coordination\.k8s\.io \\"cloud-controller-manager\\" is forbidden: /m,
    );
    expect(log()).not.toContain("Started");
  });
});

describe("routes", () => {
  it("[API-302] lead to every Node with a range, and go with it", () => {
    const { startManager, learner, node, wait } = cloudWorld();
    startManager();
    const routes = learner.run("simcloud routes");
    for (const name of ["control-plane", "node-1", "node-2", "node-3"])
      expect(routes).toMatch(
        new RegExp(`kubernetes-${node(name)?.metadata.uid} +${node(name)?.spec?.podCIDR?.replaceAll(".", "\\.")} +${name}\n`),
      );
    const condition = node("node-1")?.status?.conditions?.find(({ type }) => type === "NetworkUnavailable");
    expect(condition).toMatchObject({ status: "False", reason: "RouteCreated", message: "RouteController created a route" });
    learner.run("simcloud rm node-3");
    wait(80);
    expect(learner.run("simcloud routes")).not.toContain("node-3");
  });

  it("[API-302] that the cloud refuses are a warning every ten seconds, and the Node has no network", () => {
    const { startManager, learner, events, node, taints, wait } = cloudWorld({ routeLimit: 2 });
    startManager();
    wait(25);
    const uid = node("node-3")?.metadata.uid;
    expect(events("node-3").at(-1)).toBe(
      `Warning FailedToCreateRoute Could not create route ${uid} ${node("node-3")?.spec?.podCIDR} for node node-3 after 38ms: route table is full: it has 2 of 2 routes`,
    );
    expect(
      learner.run(
        "kubectl get events --field-selector involvedObject.name=node-3,reason=FailedToCreateRoute -o jsonpath='{.items[0].count}{\"\\n\"}'",
      ),
    ).toMatch(/^[34]\n/);
    expect(node("node-3")?.status?.conditions?.find(({ type }) => type === "NetworkUnavailable")).toMatchObject({
      status: "True",
      reason: "NoRouteCreated",
    });
    expect(taints("node-3")).toContain("node.kubernetes.io/network-unavailable");
  });
});

describe("simcloud", () => {
  it("lists machines, and stops, starts and removes them", () => {
    const { learner, wait } = cloudWorld({}, { nodes: 2 });
    const machines = () => learner.run("simcloud machines");
    expect(machines()).toMatch(/^NAME +INSTANCE-ID +TYPE +REGION +ZONE +ADDRESS +STATE\n/);
    expect(machines()).toMatch(/^node-1 +i-[0-9a-f]{8} +sim-2-4 +region-1 +zone-a +172\.18\.0\.3 +running$/m);
    const [, id = ""] = /^node-1 +(\S+)/m.exec(machines()) ?? [];
    expect(learner.run(`simcloud stop ${id}; simcloud machines | grep node-1`)).toMatch(/: stopping\n[\s\S]* stopping\n$/);
    wait(20);
    expect(learner.run("ssh -o ConnectTimeout=3 node-1 true; echo $?")).toMatch(/255\n$/);
    expect(learner.run("simcloud start node-1; simcloud start node-1; echo $?")).toBe(
      `machine node-1 (${id}): starting\nsimcloud: machine node-1 is pending\n1\n`,
    );
    wait(40);
    expect(machines()).toMatch(/^node-1 .* running$/m);
    learner.run("simcloud rm node-2");
    expect(learner.run("simcloud start node-2; echo $?")).toBe('simcloud: no machine "node-2"\n1\n');
  });

  it.each([
    ["", "a command is missing"],
    ["ls", 'unknown command "ls"'],
    ["machines node-1", 'unexpected argument "node-1"'],
    ["stop", "stop needs a machine"],
    ["rm --force node-1", 'unknown option "--force"'],
  ])("refuses `simcloud %s` with exit code 2", (words, message) => {
    const { learner } = cloudWorld({}, { nodes: 0 });
    expect(learner.run(`simcloud ${words}; echo $?`)).toBe(`simcloud: ${message}\nRun "simcloud --help" for usage.\n2\n`);
  });

  it("explains itself", () => {
    const { learner } = cloudWorld({}, { nodes: 0 });
    expect(learner.run("simcloud --help; echo $?")).toMatch(/^Usage: simcloud COMMAND\n[\s\S]*\n0\n$/);
    expect(learner.run("simcloud lb")).toBe("No load balancers.\n");
    expect(learner.run("help")).toMatch(
      /^ {2}virsh .*\n {2}simcloud +the cloud that the nodes are machines of: simcloud --help\n {2}nano/m,
    );
  });
});
