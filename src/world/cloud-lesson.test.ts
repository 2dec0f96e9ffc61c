// A learner's way through all that the cloud's manager does, from a node that just booted to a cloud that is empty again.

import { expect, it } from "vitest";
import { cloudWorld } from "./cloud.test-kit.ts";

it("[API-298] [API-299] [API-300] [API-303] [API-304] [API-308] one cluster's story, by commands", () => {
  const { learner, wait, taints, node, service, startManager } = cloudWorld({ uninitialized: ["node-3"] });
  learner.run("kubectl create deployment web --image=nginx:1.27");
  learner.run(
    `kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-3"}}}}}'`,
  );
  wait(30);
  expect(learner.run("kubectl get pods -l app=web --no-headers")).toMatch(/Pending/);
  startManager();
  wait(30);
  expect(taints("node-3")).toEqual([]);
  expect(learner.run("kubectl get pods -l app=web --field-selector=status.phase=Running --no-headers")).toMatch(/Running/);
  learner.run('kubectl patch deployment web --type=json -p \'[{"op":"remove","path":"/spec/template/spec/nodeSelector"}]\'');
  learner.run("kubectl expose deployment web --name=lb --port=80 --type=LoadBalancer");
  wait(30);
  const address = service("lb")?.status?.loadBalancer?.ingress?.[0]?.ip ?? "";
  expect(learner.run(`wget -S -qO /dev/null http://${address} 2>&1 | head -n 1`)).toContain("200 OK");
  learner.run("simcloud rm node-3");
  wait(90);
  expect(node("node-3")).toBeUndefined();
  learner.run(
    `kubectl get clusterrole cloud-controller-manager -o json | jq '.rules[1].verbs=["get","list","watch","patch","update"]' | kubectl apply -f -`,
  );
  learner.run("simcloud rm node-2");
  wait(90);
  expect(learner.run("kubectl get node node-2 --no-headers")).toMatch(/NotReady/);
  learner.run("kubectl apply -f ccm.yaml");
  wait(15);
  expect(node("node-2")).toBeUndefined();
  wait(330);
  expect(learner.run(`wget -S -qO /dev/null http://${address} 2>&1 | head -n 1`)).toContain("200 OK");
  learner.run("kubectl delete service lb");
  wait(5);
  expect(learner.run("simcloud lb")).toBe("No load balancers.\n");
});

it("[API-299] a taint that is taken away by hand leaves a Node without provider ID and zone", () => {
  const { learner, node, startManager } = cloudWorld({ uninitialized: ["node-3"] });
  learner.run("kubectl taint node node-3 node.cloudprovider.kubernetes.io/uninitialized-");
  startManager();
  expect(node("node-3")?.spec?.providerID).toBeUndefined();
  expect(node("node-3")?.metadata.labels).not.toHaveProperty(["topology.kubernetes.io/zone"]);
});
