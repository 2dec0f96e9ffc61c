import { expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

/**
 * A scheduler as one can write it with a shell, by what the early one knew: the predicates PodFitsResources and MatchNodeSelector, and the
 * priorities LeastRequested and BalancedResourceAllocation, each 0 to 10. It binds as every scheduler does, over the subresource.
 */
const script = `#!/bin/bash
names='{range .items[*]}{.metadata.name}{"\\n"}{end}'
node_list='{range .items[*]}{.metadata.name} {.status.allocatable.cpu} {.status.allocatable.memory}{"\\n"}{end}'
use_list='{range .items[*].spec.containers[*]}{.resources.requests.cpu}/{.resources.requests.memory}{"\\n"}{end}'

quantity='
  function cpu(text) { return text ~ /m$/ ? text + 0 : text * 1000 }
  function bytes(text,  unit) {
    unit = text ~ /Ki$/ ? 1024 : text ~ /Mi$/ ? 1048576 : text ~ /Gi$/ ? 1073741824 : 1
    return text * unit
  }'

sum() { awk -F/ "$quantity"' { c += cpu($1); m += bytes($2) } END { printf "%d %d\\n", c, m }'; }

choose() {
  read -r want_cpu want_memory <<< "$(kubectl get pods --field-selector metadata.name=$1 -o jsonpath="$use_list" | sum)"
  selector=$(kubectl get pod $1 -o jsonpath='{.spec.nodeSelector.disk}')
  kubectl get nodes -l "!node-role.kubernetes.io/control-plane\${selector:+,disk=$selector}" -o jsonpath="$node_list" |
    while read -r node cpu memory; do
      used=$(kubectl get pods -A --field-selector spec.nodeName=$node -o jsonpath="$use_list" | sum)
      echo "$node $cpu $memory $used"
    done | awk -v wc=$want_cpu -v wm=$want_memory "$quantity"'
      {
        c = cpu($2); m = bytes($3); rc = $4 + wc; rm = $5 + wm
        if (rc > c || rm > m) next
        least = int((int((c - rc) * 10 / c) + int((m - rm) * 10 / m)) / 2)
        difference = rc / c - rm / m
        balanced = int(10 - 10 * (difference < 0 ? -difference : difference))
        print least + balanced, $1, least, balanced
      }' | sort -k1,1nr -k2,2 | tee -a scores | head -n 1 | cut -d ' ' -f 2
}

while true; do
  for pod in $(kubectl get pods --field-selector spec.schedulerName=classic,spec.nodeName= -o jsonpath="$names"); do
    echo "$pod:" >> scores
    node=$(choose $pod)
    [ -z "$node" ] && continue
    echo '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"'$pod'"},"target":{"apiVersion":"v1","kind":"Node","name":"'$node'"}}' |
      kubectl create --raw /api/v1/namespaces/default/pods/$pod/binding -f - > /dev/null
  done
  sleep 1
done
`;

const pods = ["big", "small", "picky", "huge"];

const requests: { readonly [name: string]: string } = {
  big: "{cpu: '1', memory: 1Gi}",
  small: "{cpu: 100m, memory: 128Mi}",
  picky: "{cpu: 100m, memory: 128Mi}",
  huge: "{cpu: '64'}",
};

const manifest = (name: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  schedulerName: classic
  ${name === "picky" ? "nodeSelector: {disk: ssd}" : ""}
  containers: [{name: pause, image: registry.k8s.io/pause:3.10.1, resources: {requests: ${requests[name]}}}]
`;

it("[WRK-316] [WRK-350] [WRK-352] a shell loop over the binding subresource is a scheduler", () => {
  const files = { "scheduler.sh": script, ...Object.fromEntries(pods.map((name) => [`${name}.yaml`, manifest(name)])) };
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files });
  world.boot();
  const learner = sitDown(world);
  learner.run("kubectl label node node-1 disk=ssd");
  learner.run("bash scheduler.sh 2> errors &");
  for (const name of pods) {
    learner.run(`kubectl apply -f ${name}.yaml`);
    world.simulation.advance(15_000);
  }
  const where = "kubectl get pods big small picky huge -o jsonpath='{.items[*].spec.nodeName}{\"\\n\"}'";
  expect(learner.run(where)).toBe("node-1 node-2 node-1\n");
  // Total, node, LeastRequested, BalancedResourceAllocation: 2 CPU and 4 GiB each, some of node-2's taken by add-ons.
  expect(learner.run("uniq scores; cat errors")).toBe(`big:
13 node-1 6 7
12 node-2 5 7
small:
18 node-2 9 9
12 node-1 5 7
picky:
12 node-1 5 7
huge:
`);
  // Events are no part of a binding: who schedules writes them.
  expect(learner.run("kubectl get events | grep -E 'Scheduled|FailedScheduling'")).toBe("\n");
});
