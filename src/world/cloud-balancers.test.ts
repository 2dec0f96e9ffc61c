// Services of type LoadBalancer in a cloud: the controller's events and what it writes, and balancers that take connections.

import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { cloudWorld, rulesWithout } from "./cloud.test-kit.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";

/** Three replicas that answer with their names, on node-1 and node-2, or where `nodes` says. */
function shop(wish: Parameters<typeof cloudWorld>[0] = {}, options: Parameters<typeof cloudWorld>[1] = {}) {
  const made = cloudWorld(wish, options);
  const { learner, wait, world, service, startManager } = made;
  startManager();
  learner.run(
    "kubectl create deployment web --image=registry.k8s.io/e2e-test-images/agnhost:2.63.0 --replicas=3 -- /agnhost netexec",
  );
  wait(40);
  return {
    ...made,
    expose: (flags = "--type=LoadBalancer"): void => {
      learner.run(`kubectl expose deployment web --port=80 --target-port=8080 ${flags}`);
      wait(30);
    },
    address: (): string => service("web")?.status?.loadBalancer?.ingress?.[0]?.ip ?? "",
    /** What `count` requests from the workstation are answered with. */
    ask: (path = "/hostname", count = 1): string =>
      learner.run(
        `for i in $(seq ${count}); do curl -s -m 5 http://$(kubectl get service web -o jsonpath='{.status.loadBalancer.ingress[0].ip}')${path} || echo failed-$?; echo; done`,
      ),
    lb: (): string => learner.run("simcloud lb"),
    patch: (body: unknown): void => {
      world.client.patch(kinds.services, { namespace: "default", name: "web" }, "merge", body as never);
      wait(30);
    },
  };
}

describe("a Service of type LoadBalancer", () => {
  it("[API-303] [NET-193] gets a finalizer, an address and events, after the cloud's time", () => {
    const { expose, address, service, events, learner, lb } = shop();
    learner.run("kubectl expose deployment web --port=80 --target-port=8080 --type=LoadBalancer");
    expect(service("web")?.metadata.finalizers).toEqual([finalizer]);
    expect(learner.run("kubectl get service web --no-headers")).toMatch(/<pending>/);
    expect(lb()).toMatch(/ provisioning /);
    expect(events("web").slice(-1)).toEqual(["Normal EnsuringLoadBalancer Ensuring load balancer"]);
    expose();
    expect(address()).toBe("203.0.113.2");
    expect(service("web")?.status?.loadBalancer).toEqual({ ingress: [{ ip: "203.0.113.2", ipMode: "VIP" }] });
    expect(events("web")).toEqual([
      "Normal EnsuringLoadBalancer Ensuring load balancer",
      "Normal EnsuredLoadBalancer Ensured load balancer",
    ]);
    expect(lb()).toMatch(/default\/web +203\.0\.113\.2 +80:3\d{4} +active +node-1=healthy,node-2=healthy,node-3=healthy\n/);
  });

  it("[API-303] [NET-199] answers at its address: to the workstation, nodes and Pods, over all of its targets", () => {
    const { expose, ask, address, learner } = shop();
    expose();
    expect(ask("/hostname")).toMatch(/^web-/);
    const names = new Set(ask("/hostname", 30).match(/web-\S+/g));
    expect(names.size).toBe(3);
    expect(learner.run(`ssh node-1 curl -s -m 5 http://${address()}/hostname; echo`)).toMatch(/^web-/);
    expect(learner.run(`kubectl exec deploy/web -- curl -s -m 5 http://${address()}/hostname; echo`)).toMatch(/^web-/);
    // No other port is open.
    expect(learner.run(`curl -s -m 5 http://${address()}:81/; echo $?`)).toMatch(/7\n$/);
  });

  it("[NET-113] [NET-199] with the policy Local goes only where the health check answers 200, with the client's own address", () => {
    const { expose, ask, lb, patch, learner, wait, service } = shop();
    learner.run("kubectl scale deployment web --replicas=1");
    expose();
    patch({ spec: { externalTrafficPolicy: "Local" } });
    const on = learner.run("kubectl get pod -l app=web -o jsonpath='{.items[0].spec.nodeName}{\"\\n\"}'").trim();
    expect(lb().match(/=healthy/g)).toHaveLength(1);
    expect(lb()).toContain(`${on}=healthy`);
    expect(ask("/clientip", 5).match(/172\.18\.255\.1/g)).toHaveLength(5);
    const port = service("web")?.spec?.healthCheckNodePort;
    const other = ["node-1", "node-2", "node-3"].find((name) => name !== on);
    expect(learner.run(`curl -s -i http://${on}:${port}/healthz`)).toMatch(
      /200 OK[\s\S]*x-load-balancing-endpoint-weight: 1[\s\S]*"localEndpoints": 1/i,
    );
    expect(learner.run(`curl -s -i http://${other}:${port}/healthz`)).toMatch(/503 Service Unavailable[\s\S]*"localEndpoints": 0/);
    learner.run("kubectl scale deployment web --replicas=0");
    wait(60);
    expect(lb()).not.toContain("=healthy");
    expect(ask("/hostname")).toContain("failed-");
  });

  it("[NET-199] with the policy Cluster leaves out a machine without power, and takes it back", () => {
    const { expose, ask, lb, learner, wait } = shop();
    expose();
    learner.run("virsh destroy node-3");
    wait(20);
    expect(lb()).toContain("node-3=unhealthy");
    wait(60);
    expect(ask("/hostname", 12)).not.toContain("failed");
    learner.run("virsh start node-3");
    wait(60);
    expect(lb()).toContain("node-3=healthy");
  });

  it("[NET-199] sends to a machine that lost its power, until two checks have failed; not to an excluded one", () => {
    const { expose, ask, learner, wait } = shop();
    expose();
    const leave = (name: string): void => {
      learner.run(`kubectl drain ${name} --ignore-daemonsets`);
      wait(10);
    };
    leave("node-3");
    learner.run("virsh destroy node-3");
    expect(ask("/hostname", 3).match(/failed-28/g)).toHaveLength(1);
    wait(15);
    expect(ask("/hostname", 6)).not.toContain("failed");
    leave("node-2");
    learner.run("kubectl label node node-2 node.kubernetes.io/exclude-from-external-load-balancers=");
    wait(5);
    learner.run("virsh destroy node-2");
    expect(ask("/hostname", 6)).not.toContain("failed");
  });

  it("lets in only the clients of loadBalancerSourceRanges", () => {
    const { expose, ask, patch } = shop();
    expose();
    patch({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } });
    expect(ask()).toContain("failed-28");
    patch({ spec: { loadBalancerSourceRanges: ["172.18.255.0/24"] } });
    expect(ask()).toMatch(/^web-/);
  });
});

describe("the end of a load balancer", () => {
  it("[API-304] [NET-195] comes before the end of its Service", () => {
    const { expose, learner, wait, events, service, lb, address } = shop();
    expose();
    const before = address();
    learner.run("kubectl delete service web");
    wait(5);
    expect(events("web").slice(2)).toEqual([
      "Normal DeletingLoadBalancer Deleting load balancer",
      "Normal DeletedLoadBalancer Deleted load balancer",
    ]);
    expect(service("web")).toBeUndefined();
    expect(lb()).toBe("No load balancers.\n");
    expect(learner.run(`curl -s -m 3 http://${before}/; echo $?`)).toMatch(/28\n$/);
  });

  it("[API-304] comes with another type, which empties the status and takes the finalizer away", () => {
    const { expose, patch, events, service, lb } = shop();
    expose();
    patch({ spec: { type: "ClusterIP" } });
    expect(events("web").slice(2)).toEqual([
      "Normal DeletingLoadBalancer Deleting load balancer",
      "Normal DeletedLoadBalancer Deleted load balancer",
    ]);
    expect(service("web")?.metadata.finalizers).toBeUndefined();
    expect(service("web")?.status?.loadBalancer).toEqual({});
    expect(lb()).toBe("No load balancers.\n");
  });

  it("[API-304] waits for a manager that does not run", () => {
    const { expose, learner, wait, service, lb } = shop();
    expose();
    learner.run("kubectl scale deployment -n kube-system cloud-controller-manager --replicas=0");
    wait(10);
    learner.run("kubectl delete service web --wait=false");
    wait(60);
    expect(service("web")?.metadata.deletionTimestamp).toBeDefined();
    expect(lb()).toContain("default/web");
    learner.run("kubectl scale deployment -n kube-system cloud-controller-manager --replicas=1");
    wait(60);
    expect(service("web")).toBeUndefined();
    expect(lb()).toBe("No load balancers.\n");
  });
});

describe("targets", () => {
  it("[API-303] [API-306] [NET-196] [NET-198] leave out excluded Nodes, and keep cordoned ones", () => {
    const { expose, learner, wait, events, lb } = shop();
    expose();
    learner.run("kubectl cordon node-2");
    wait(5);
    expect(lb()).toContain("node-1=healthy,node-2=healthy,node-3=healthy");
    learner.run("kubectl label node node-1 node.kubernetes.io/exclude-from-external-load-balancers=");
    wait(10);
    expect(lb()).toContain(" node-2=healthy,node-3=healthy\n");
    expect(events("web").slice(2)).toEqual(["Normal UpdatedLoadBalancer Updated load balancer with new hosts"]);
    // The value counts.
    learner.run("kubectl label node node-1 --overwrite node.kubernetes.io/exclude-from-external-load-balancers=false");
    wait(10);
    expect(lb()).toContain("node-1=healthy");
  });

  it("[API-306] leave out Nodes that the autoscaler takes away, when they are next looked at", () => {
    const { expose, learner, wait, lb } = shop();
    expose();
    learner.run("kubectl taint node node-3 ToBeDeletedByClusterAutoscaler=1:NoSchedule");
    wait(5);
    expect(lb()).toContain("node-3=healthy");
    learner.run("kubectl label node node-2 node.kubernetes.io/exclude-from-external-load-balancers=");
    wait(10);
    expect(lb()).toContain(" node-1=healthy\n");
  });

  it("[API-303] [NET-196] are missed with a warning where there are none", () => {
    const { expose, learner, wait, events, lb } = shop();
    expose();
    learner.run("kubectl label node node-1 node-2 node-3 node.kubernetes.io/exclude-from-external-load-balancers=");
    wait(10);
    expect(lb()).toContain(" <none>\n");
    expect(events("web")).toContain("Warning UnAvailableLoadBalancer There are no available nodes for LoadBalancer");
  });

  it("[NET-196] follow the Nodes of machines that are removed", () => {
    const { expose, learner, wait, lb, events } = shop();
    expose();
    learner.run("simcloud rm node-3");
    wait(90);
    expect(lb()).toContain(" node-1=healthy,node-2=healthy\n");
    expect(events("web").at(-1)).toBe("Normal UpdatedLoadBalancer Updated load balancer with new hosts");
  });
});

describe("what the default load balancers do not do", () => {
  it("[NET-197] Services of another class", () => {
    const { learner, wait, service, lb } = shop();
    learner.run(
      "kubectl create service loadbalancer web --tcp=80:8080 --dry-run=client -o json | jq '.spec.loadBalancerClass=\"acme.example/inner\"' | kubectl apply -f -",
    );
    wait(120);
    expect(service("web")?.metadata.finalizers).toBeUndefined();
    expect(learner.run("kubectl get service web --no-headers")).toMatch(/<pending>/);
    expect(lb()).toBe("No load balancers.\n");
  });

  it("[API-303] [NET-194] what the cloud refuses is a warning, and is tried again after 5 s, 10 s, 20 s …", () => {
    const { learner, wait, events, world } = shop();
    learner.run("kubectl expose deployment web --port=53 --protocol=UDP --type=LoadBalancer");
    wait(2);
    const refusal =
      "Warning SyncLoadBalancerFailed Error syncing load balancer: failed to ensure load balancer: port 53 is UDP: load balancers of this cloud take TCP only";
    expect(events("web")).toEqual(["Normal EnsuringLoadBalancer Ensuring load balancer", refusal]);
    const count = () =>
      world.client
        .list(kinds.events)
        .items.find(({ reason, involvedObject }) => reason === "SyncLoadBalancerFailed" && involvedObject.name === "web")?.count;
    const times: number[] = [];
    let before = count();
    for (let second = 0; second < 160; second += 1) {
      wait(1);
      if (count() !== before) times.push(second);
      before = count();
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps).toEqual([10, 20, 40, 80]);
  });

  it("[NET-200] foreign annotations; the cloud's own gives a private address", () => {
    const { learner, wait, address } = shop();
    const expose = (annotation: string): void => {
      learner.run(
        `kubectl create service loadbalancer web --tcp=80:8080 --dry-run=client -o json | jq '.metadata.annotations={"${annotation}":"true"}' | kubectl apply -f -`,
      );
      wait(30);
    };
    expose("service.beta.kubernetes.io/aws-load-balancer-internal");
    expect(address()).toBe("203.0.113.2");
    learner.run("kubectl delete service web");
    expose("service.sim.example/internal");
    expect(address()).toMatch(/^172\.18\.254\./);
  });

  it("[NET-200] let nobody from outside the machines' network to a private address", () => {
    const call = "while true; do sleep 5; curl -s -m 2 -A stranger http://203.0.113.2/hostname http://172.18.254.2/hostname; done";
    const stranger = { name: "stranger", address: "198.51.100.7", image: "nginx:1.27", command: ["sh", "-c", call] };
    const { learner, wait, address } = shop({}, { hosts: [stranger] });
    const strangers = (): number => learner.run("kubectl logs deployment/page").match(/stranger/g)?.length ?? 0;
    learner.run("kubectl create deployment page --image=nginx:1.27");
    learner.run("kubectl expose deployment page --name=web --port=80 --type=LoadBalancer");
    wait(30);
    expect(address()).toBe("203.0.113.2");
    expect(strangers()).toBeGreaterThan(0);
    learner.run("kubectl annotate service web service.sim.example/internal=true");
    wait(10);
    expect(address()).toBe("172.18.254.2");
    const before = strangers();
    wait(60);
    expect(strangers()).toBe(before);
    const ask = "curl -s -i -m 2 http://172.18.254.2/ | head -n 1";
    const inside = `${ask}; ssh node-1 "${ask}"; kubectl exec deployment/page -- ${ask}`;
    expect(learner.run(inside).match(/200 OK/g)).toHaveLength(3);
  });

  it("[API-303] an address of one's own choice that the cloud does not have", () => {
    const { expose, patch, events, address } = shop();
    expose("--type=LoadBalancer --load-balancer-ip=198.51.100.7");
    expect(events("web")).toContain(
      "Warning SyncLoadBalancerFailed Error syncing load balancer: failed to ensure load balancer: address 198.51.100.7 is not in the range 203.0.113.0/24 of this cloud",
    );
    patch({ spec: { loadBalancerIP: "203.0.113.77" } });
    expect(address()).toBe("203.0.113.77");
  });
});

it("[API-308] without the right to patch services/status nothing is made, and the log says 403", () => {
  const { expose, log, service, lb, events } = shop({}, { manager: { rules: rulesWithout("services/status") } });
  expose();
  const refusal =
    'failed to add load balancer cleanup finalizer: services "web" is forbidden: User "system:serviceaccount:kube-system:cloud-controller-manager" cannot patch resource "services/status" in API group "" in the namespace "default"';
  expect(log()).toContain(
    `error processing service default/web (retrying with exponential backoff): ${refusal.replaceAll('"', '\\"')}`,
  );
  expect(events("web")).toContain(`Warning SyncLoadBalancerFailed Error syncing load balancer: ${refusal}`);
  expect(service("web")?.metadata.finalizers).toBeUndefined();
  expect(service("web")?.status?.loadBalancer).toEqual({});
  expect(lb()).toBe("No load balancers.\n");
});
