// Nodes of a cloud: how kubelets register them, and what the cloud's controller manager makes of them.

import { describe, expect, it } from "vitest";
import { cloudWorld, rulesWithout } from "./cloud.test-kit.ts";

const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized";
const shutdown = "node.cloudprovider.kubernetes.io/shutdown";

describe("a kubelet with --cloud-provider=external", () => {
  it("[API-298] [WRK-402] registers with the taint, the address it was told, and nothing of the cloud", () => {
    const { node, taints, learner, wait } = cloudWorld({ uninitialized: ["node-3"] });
    expect(node("node-3")?.spec?.taints).toEqual([{ key: uninitialized, value: "true", effect: "NoSchedule" }]);
    expect(node("node-3")?.spec?.providerID).toBeUndefined();
    expect(node("node-3")?.metadata.labels).not.toHaveProperty(["topology.kubernetes.io/zone"]);
    expect(node("node-3")?.metadata.labels).not.toHaveProperty(["node.kubernetes.io/instance-type"]);
    expect(node("node-3")?.metadata.annotations?.["alpha.kubernetes.io/provided-node-ip"]).toBe("172.18.0.5");
    expect(node("node-3")?.status?.addresses).toEqual([
      { type: "InternalIP", address: "172.18.0.5" },
      { type: "Hostname", address: "node-3" },
    ]);
    // The others were initialised before.
    expect(taints("node-1")).toEqual([]);
    expect(node("node-1")?.spec?.providerID).toMatch(/^sim:\/\/\/zone-a\/i-[0-9a-f]{8}$/);
    // By a new start of the kubelet as well, of a Node that it makes anew.
    learner.run("kubectl delete node node-1");
    learner.run("ssh node-1 systemctl restart kubelet");
    wait(10);
    expect(taints("node-1")).toContain(uninitialized);
    expect(node("node-1")?.metadata.annotations).toHaveProperty(["alpha.kubernetes.io/provided-node-ip"]);
  });

  it("[API-298] lets Pods wait that do not tolerate the taint", () => {
    const { learner, wait } = cloudWorld({ uninitialized: ["node-3"] });
    const selector = '{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-3"}}}';
    learner.run(`kubectl run web --image=nginx:1.27 --overrides='${selector}'`);
    wait(30);
    expect(learner.run("kubectl get pod web -o jsonpath='{.status.phase} {.status.conditions[0].message}{\"\\n\"}'")).toContain(
      `Pending 0/4 nodes are available: 2 node(s) didn't match Pod's node affinity/selector, 2 node(s) had untolerated taint(s).`,
    );
  });

  it("[API-307] refuses a cloud that was once built in, and keeps on refusing", () => {
    const { learner, wait } = cloudWorld();
    learner.run("ssh node-1 \"sed -i 's/external/aws/' /var/lib/kubelet/kubeadm-flags.env && systemctl restart kubelet\"");
    wait(5);
    expect(
      learner.run("ssh node-1 journalctl -u kubelet --no-pager | grep -c 'cloud provider .*aws.* was specified, but built-in'"),
    ).not.toBe("0\n");
    expect(learner.run("ssh node-1 systemctl is-active kubelet")).toBe("activating\n");
  });
});

describe("without a cloud", () => {
  it("[API-305] nodes have no taint, there is no image, no simcloud, and balancers stay pending", () => {
    const { taints, learner, startManager, wait, node } = cloudWorld("none", { nodes: 1 });
    expect(taints("node-1")).toEqual([]);
    expect(node("node-1")?.spec?.providerID).toBeUndefined();
    startManager();
    wait(30);
    expect(learner.run("kubectl get pods -n kube-system -l app=ccm --no-headers")).toMatch(/ErrImagePull|ImagePullBackOff/);
    expect(learner.run("simcloud machines")).toContain("command not found");
    learner.run("kubectl create service loadbalancer web --tcp=80");
    wait(120);
    expect(learner.run("kubectl get service web --no-headers")).toMatch(/LoadBalancer +\S+ +<pending> /);
  });
});

describe("the node controller", () => {
  it("[API-299] [WRK-402] gives a new Node what the cloud knows, takes the taint away, and says so", () => {
    const { node, taints, startManager, events, learner } = cloudWorld({ uninitialized: ["node-3"] });
    startManager();
    expect(learner.run("kubectl get pods -n kube-system -l app=ccm --no-headers")).toMatch(/1\/1 +Running/);
    expect(taints("node-3")).toEqual([]);
    expect(node("node-3")?.spec?.providerID).toMatch(/^sim:\/\/\/zone-c\/i-[0-9a-f]{8}$/);
    expect(node("node-3")?.metadata.labels).toMatchObject({
      "beta.kubernetes.io/instance-type": "sim-2-4",
      "node.kubernetes.io/instance-type": "sim-2-4",
      "failure-domain.beta.kubernetes.io/zone": "zone-c",
      "topology.kubernetes.io/zone": "zone-c",
      "failure-domain.beta.kubernetes.io/region": "region-1",
      "topology.kubernetes.io/region": "region-1",
    });
    expect(events("node-3")).toEqual(["Normal Synced Node synced successfully"]);
    expect(events("node-1")).toEqual([]);
  });

  it("[API-299] keeps the newer of two labels as the older one says", () => {
    const { startManager, learner, node, wait } = cloudWorld({}, { nodes: 1 });
    startManager();
    learner.run("kubectl label node node-1 --overwrite topology.kubernetes.io/zone=elsewhere");
    wait(2);
    expect(node("node-1")?.metadata.labels?.["topology.kubernetes.io/zone"]).toBe("zone-a");
  });

  it("[API-300] writes addresses anew every five minutes", () => {
    const { startManager, learner, node, wait } = cloudWorld({}, { nodes: 1 });
    startManager();
    const patch = '{"status":{"addresses":[{"type":"InternalIP","address":"10.9.9.9"},{"type":"Hostname","address":"node-1"}]}}';
    learner.run(`kubectl patch node node-1 --subresource=status --type=merge -p '${patch}'`);
    const address = () => node("node-1")?.status?.addresses?.[0]?.address;
    wait(60);
    // The kubelet leaves them to the cloud.
    expect(address()).toBe("10.9.9.9");
    wait(250);
    expect(address()).toBe("172.18.0.3");
  });
});

describe("the node lifecycle controller", () => {
  it("[API-300] [WRK-402] deletes the Node of a machine that is gone, once it is not Ready", () => {
    const { startManager, learner, node, wait, events } = cloudWorld();
    startManager();
    expect(learner.run("simcloud rm node-3")).toMatch(/^machine node-3 \(i-[0-9a-f]{8}\): removed\n$/);
    expect(learner.run("simcloud machines")).not.toContain("node-3");
    expect(learner.run("virsh list --all")).not.toContain("node-3");
    wait(20);
    expect(node("node-3")).toBeDefined();
    wait(50);
    expect(node("node-3")).toBeUndefined();
    expect(events("node-3")).toEqual(["Normal DeletingNode Deleting node node-3 because it does not exist in the cloud provider"]);
    expect(node("node-2")).toBeDefined();
  });

  it("[API-301] [WRK-402] taints the Node of a machine that is shut down, until it is Ready again", () => {
    const { startManager, learner, taints, node, wait } = cloudWorld();
    startManager();
    expect(learner.run("simcloud stop node-2")).toContain(": stopping\n");
    wait(20);
    expect(learner.run("simcloud machines")).toMatch(/^node-2 .* stopped$/m);
    wait(60);
    expect(taints("node-2")).toContain(shutdown);
    expect(node("node-2")?.spec?.taints?.find(({ key }) => key === shutdown)).toEqual({ key: shutdown, effect: "NoSchedule" });
    learner.run("simcloud start node-2");
    wait(60);
    expect(taints("node-2")).toEqual([]);
  });

  it("[API-308] without the right to delete says 403 and leaves the Node, and goes on once it may", () => {
    const verbs = "[get, list, watch, create, update, patch]";
    const rules = rulesWithout("nodes", `{apiGroups: [""], resources: [nodes], verbs: ${verbs}}`);
    const { startManager, learner, node, wait, events, log } = cloudWorld({}, { manager: { rules } });
    startManager();
    learner.run("simcloud rm node-2");
    wait(90);
    expect(node("node-2")).toBeDefined();
    const refused =
      'nodes "node-2" is forbidden: User "system:serviceaccount:kube-system:cloud-controller-manager" cannot delete resource "nodes" in API group "" at the cluster scope';
    expect(log()).toContain(`E unable to delete node "node-2": ${refused}`);
    expect(events("node-2")).toContain(`Warning DeletingNodeFailed Failed deleting node node-2: ${refused}`);
    learner.run(
      'kubectl patch clusterrole cloud-controller-manager --type=json -p \'[{"op":"replace","path":"/rules/1/verbs","value":["*"]}]\'',
    );
    wait(10);
    expect(node("node-2")).toBeUndefined();
  });
});
