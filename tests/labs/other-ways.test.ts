// Ways through a step that its solution does not take, and that count as much.

import { describe, expect, it } from "vitest";
import { labFromSources } from "#lab/catalog.ts";
import { readLabSources } from "../labs.ts";
import { playTo, settle } from "./attempt.ts";

const sources = readLabSources();

const answer = (key: string, value: string) => `kubectl patch configmap answers -p '{"data":{"${key}":"${value}"}}'`;
const created = "kubectl create configmap answers --from-literal=procs=2";

const ways: { readonly [lab: string]: readonly (readonly [step: string, commands: readonly string[]])[] } = {
  "from-servers-to-containers": [
    ["processes", ["kubectl exec deployment/app-a -- /bin/ps -e", created]],
    ["processes", ["kubectl exec deploy/app-a -- sh -c 'ps | wc -l'", created]],
    ["processes", ["kubectl exec deploy/app-a -- ls /proc", created]],
    [
      "processes",
      ["echo 'ps; nosuch' | kubectl exec -i deploy/app-a -- sh", "kubectl create configmap answers --from-literal=procs=3"],
    ],
    ["processes", ["echo 'ps; nosuch' | kubectl exec -i deploy/app-a -- /bin/sh", created]],
    [
      "files",
      ["kubectl exec deploy/app-a -- sh -c 'date > /tmp/mark'", "kubectl exec deploy/app-b -- ls /tmp", answer("sharedfs", "no")],
    ],
    [
      "names",
      [
        "kubectl exec deploy/app-a -- cat /etc/hostname",
        "kubectl exec deploy/app-b -- sh -c 'echo $HOSTNAME'",
        answer("hostnames", "differ"),
      ],
    ],
    [
      "kernel",
      [
        "kubectl exec deploy/app-a -- cat /proc/version",
        "kubectl exec deploy/app-b -- sh -c 'uname -a'",
        "kubectl describe node node-1",
        answer("kernel", "same"),
      ],
    ],
    [
      "kernel",
      [
        "kubectl exec deploy/app-a -- uname -r",
        "kubectl exec deploy/app-b -- uname -r",
        "kubectl get node/node-1 -o=jsonpath='{.status.nodeInfo.kernelVersion}'",
        answer("kernel", "same"),
      ],
    ],
    [
      "replace",
      [
        "kubectl rollout restart deployment/app-a",
        "kubectl rollout status deployment/app-a",
        "kubectl exec deploy/app-a -- sh -c 'ls /tmp'",
      ],
    ],
    [
      "replace",
      [
        "kubectl scale deployment app-a --replicas=0",
        "kubectl wait --for=delete pod -l app=app-a",
        "kubectl scale deployment app-a --replicas=1",
        "kubectl rollout status deployment/app-a",
        "kubectl exec deploy/app-a -- cat /tmp/mark",
      ],
    ],
  ],
  "what-is-kubernetes": [
    ["create", ["kubectl create deployment web --image=nginx:1.27", "kubectl scale deploy/web --replicas=2"]],
    ["heal", ["kubectl delete pod -l app=web --now", "kubectl wait --for=condition=Available deployment/web"]],
    ["scale", [`kubectl patch deploy web -p '{"spec":{"replicas":4}}'`]],
    ["open", ["kubectl create service clusterip web --tcp=80", "sleep 5", "kubectl exec deploy/web -- curl -s http://web.default"]],
    ["open", ["kubectl expose deploy web --port 80", "sleep 5", `kubectl exec deploy/web -- sh -c "curl -s web"`]],
    [
      "open",
      [
        "kubectl expose deploy web --port 80",
        "sleep 5",
        "kubectl exec deploy/web -- curl -s $(kubectl get svc web -o jsonpath={.spec.clusterIP})",
      ],
    ],
    [
      "update",
      [
        `kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"nginx:1.28"}]'`,
      ],
    ],
    ["undo", ["kubectl set image deploy/web nginx=nginx:1.27"]],
  ],
};

describe.each(Object.entries(ways))("lab %s", (id, tried) => {
  const lab = labFromSources(sources, id);

  it.each(tried.map(([step, commands]) => ({ step, commands, last: commands.join("; ") })))(
    "passes $step with: $last",
    ({ step, commands }) => {
      const index = lab.steps.findIndex((one) => one.id === step);
      const attempt = playTo(lab, index);
      const results = attempt.typist.runScript(commands.join("\n"));
      settle(attempt);
      expect({ passed: attempt.run.passedSteps, unmet: attempt.run.unmetChecks(step), results }).toMatchObject({
        passed: index + 1,
        unmet: [],
      });
    },
  );
});
