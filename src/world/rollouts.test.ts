// Rollouts as who types sees them: what kubectl says, what clients get, what going back brings back.

import { describe, expect, it } from "vitest";
import { endpointSlices } from "#cluster/api/kinds.ts";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

function sitting(nodes = 3) {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes, files: {} });
  world.boot();
  const typist = new Typist(world);
  const typed = (line: string) => {
    const { output, code } = typist.run(line);
    return { output, code };
  };
  return { world, typed, run: (line: string): string => typed(line).output.trimEnd().replace(/ {2,}/gu, " ") };
}

/** Lines without those that repeat the one before. */
const changes = (text: string): readonly string[] => text.split("\n").filter((line, index, all) => line !== all[index - 1]);

const path = (object: string, place: string): string => `kubectl get ${object} -o jsonpath='${place}'; echo`;
const cause = path(
  "deployment web",
  "{.metadata.annotations.kubernetes\\.io/change-cause} {.spec.template.spec.containers[0].image}",
);

function webOfThree() {
  const sat = sitting();
  sat.run("kubectl create deployment web --image=nginx:1.27 --replicas=3; kubectl rollout status deployment/web");
  return sat;
}

describe("a Deployment's rollout", () => {
  it("[WRK-149] is followed by rollout status line by line", () => {
    const { run } = webOfThree();
    run("kubectl set image deployment/web nginx=nginx:1.28");
    expect(changes(run("kubectl rollout status deployment/web"))).toEqual([
      "Waiting for deployment spec update to be observed...",
      'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 2 out of 3 new replicas have been updated...',
      'Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...',
      'deployment "web" successfully rolled out',
    ]);
    run("ssh control-plane mv /etc/kubernetes/manifests/kube-controller-manager.yaml /root/; sleep 40");
    run("kubectl set image deployment/web nginx=nginx:1.29");
    expect(run("kubectl rollout status deployment/web --watch=false")).toBe("Waiting for deployment spec update to be observed...");
  });

  it("[WRK-104] [WRK-148] [WRK-151] that hangs keeps the old Pods at work, and is not waited for for ever", () => {
    const { run, typed } = webOfThree();
    run("kubectl expose deployment web --port=80; kubectl set image deployment/web nginx=nginx:nope; sleep 20");
    expect(
      run(
        "kubectl get endpointslices -l kubernetes.io/service-name=web -o jsonpath='{.items[0].endpoints[?(@.conditions.ready==true)].targetRef.name}'; echo",
      ).split(" "),
    ).toHaveLength(3);
    run("kubectl run client --image=busybox:1.36 -- sleep 1d; kubectl wait --for=condition=Ready pod/client");
    const asked = run(
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do kubectl exec client -- wget -qO- -T 2 http://web | grep -c '<h1>Welcome'; done",
    );
    expect(asked).toBe(Array.from({ length: 12 }, () => "1").join("\n"));
    expect(typed("kubectl rollout status deployment/web --timeout=5s")).toEqual({
      output:
        'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...\nerror: timed out waiting for the condition\n',
      code: 1,
    });
    expect(typed("kubectl rollout status deployment/web --watch=false").code).toBe(0);
    expect(typed("kubectl rollout status deployment/web --revision=1")).toEqual({
      output: "error: desired revision (1) is different from the running revision (2)\n",
      code: 1,
    });
    expect(run("kubectl describe deployment web | grep ReplicaSet")).toMatch(
      /^OldReplicaSets: web-\w+ \(3\/3 replicas created\)\nNewReplicaSet: web-\w+ \(1\/1 replicas created\)/mu,
    );
  });

  it("[WRK-152] goes on when Ctrl-C ends rollout status", () => {
    const { world, run } = webOfThree();
    const press = (text: string): void => {
      world.apply({ kind: "terminal-input", terminal: "proof", text });
      world.simulation.advance(500);
    };
    run("kubectl set image deployment/web nginx=nginx:1.28");
    press("kubectl rollout status deployment/web\r");
    press("\x03");
    expect(world.workstation.history.at(-1)).toMatchObject({ line: "kubectl rollout status deployment/web", code: 130 });
    const updated = path("deployment web", "{.status.updatedReplicas} {.status.availableReplicas} {.status.replicas}");
    expect(run(updated)).not.toBe("3 3 3");
    world.simulation.advance(30_000);
    expect(run(updated)).toBe("3 3 3");
  });

  it("[WRK-153] ends for rollout status before its old Pods have ended, which still answer", () => {
    const { run, typed } = webOfThree();
    run("kubectl run client --image=busybox:1.36 -- sleep 1d; kubectl wait --for=condition=Ready pod/client");
    run(
      `kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"nginx","lifecycle":{"preStop":{"sleep":{"seconds":20}}}}]}}}}'`,
    );
    run("kubectl rollout status deployment/web; sleep 30; kubectl set image deployment/web nginx=nginx:1.28");
    expect(typed("kubectl rollout status deployment/web").code).toBe(0);
    const ending = run("kubectl get pods -l app=web -o wide --no-headers | grep Terminating | grep -o '10[.][0-9.]*' | tail -n 1");
    expect(ending).toMatch(/^10\.\d+\.\d+\.\d+$/u);
    expect(run(`kubectl exec client -- wget -qO- -T 2 http://${ending} | grep -c '<h1>Welcome'`)).toBe("1");
  });

  it("[WRK-150] is given up by rollout status at its deadline", () => {
    const { run, typed } = webOfThree();
    run(
      `kubectl patch deployment web -p '{"spec":{"progressDeadlineSeconds":30}}'; kubectl set image deployment/web nginx=nginx:nope`,
    );
    const { output, code } = typed("kubectl rollout status deployment/web");
    expect([changes(output.trimEnd()).at(-1), code]).toEqual(['error: deployment "web" exceeded its progress deadline', 1]);
  });

  it("[WRK-093] by Recreate leaves nobody to answer for a while", () => {
    const { run, world } = webOfThree();
    run(
      `kubectl expose deployment web --port=80; kubectl patch deployment web -p '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}'; sleep 2`,
    );
    let least = 3;
    const look = (): void => {
      const slices = world.client.list(endpointSlices, {
        namespace: "default",
        labelSelector: "kubernetes.io/service-name=web",
      }).items;
      const ready = slices.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions?.ready === true).length;
      least = Math.min(least, ready);
    };
    world.onWrite.add(look);
    run("kubectl set image deployment/web nginx=nginx:1.28; kubectl rollout status deployment/web");
    expect(least).toBe(0);
  });
});

describe("going back", () => {
  it("[WRK-114] [WRK-116] [WRK-118] takes the template before the present one, with its cause; twice is forth again", () => {
    const { run } = webOfThree();
    run("kubectl annotate deployment web kubernetes.io/change-cause=first; sleep 1");
    run(
      "kubectl set image deployment/web nginx=nginx:1.28; kubectl annotate deployment web kubernetes.io/change-cause=second --overwrite; sleep 10",
    );
    run(
      "kubectl set image deployment/web nginx=nginx:1.29; kubectl annotate deployment web kubernetes.io/change-cause=third --overwrite; sleep 10",
    );
    expect(run(cause)).toBe("third nginx:1.29");
    run("kubectl rollout undo deployment/web; sleep 10");
    expect(run(cause)).toBe("second nginx:1.28");
    run("kubectl rollout undo deployment/web; sleep 10");
    expect(run(cause)).toBe("third nginx:1.29");
    expect(run("kubectl rollout history deployment/web")).toBe(
      "deployment.apps/web \nREVISION CHANGE-CAUSE\n1 first\n4 second\n5 third",
    );
  });

  it("[WRK-117] [WRK-119] leaves everything but the template, and tells of nothing but scaling", () => {
    const { run } = webOfThree();
    run("kubectl set image deployment/web nginx=nginx:1.28; kubectl rollout status deployment/web");
    run(
      `kubectl patch deployment web -p '{"spec":{"replicas":5,"minReadySeconds":3,"strategy":{"rollingUpdate":{"maxSurge":2}}}}'; sleep 10`,
    );
    run("kubectl rollout undo deployment/web; kubectl rollout status deployment/web");
    expect(
      run(
        path(
          "deployment web",
          "{.spec.replicas} {.spec.minReadySeconds} {.spec.strategy.rollingUpdate.maxSurge} {.spec.template.spec.containers[0].image}",
        ),
      ),
    ).toBe("5 3 2 nginx:1.27");
    expect(
      run("kubectl get events --field-selector involvedObject.kind=Deployment -o custom-columns=R:.reason --no-headers | sort -u"),
    ).toBe("ScalingReplicaSet");
  });
});

describe("a StatefulSet's rollout", () => {
  const set = (extra: object = {}): string =>
    JSON.stringify({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "db" },
      spec: {
        serviceName: "db",
        replicas: 3,
        selector: { matchLabels: { app: "db" } },
        template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "a", image: "nginx:1.27" }] } },
        ...extra,
      },
    });

  it("[WRK-194] is followed by rollout status, partitions included; OnDelete has none", () => {
    const { run, typed } = sitting();
    run(`echo '${set()}' | kubectl apply -f -`);
    expect(changes(run("kubectl rollout status statefulset/db"))).toEqual([
      "Waiting for 3 pods to be ready...",
      "Waiting for 2 pods to be ready...",
      "Waiting for 1 pods to be ready...",
      "partitioned roll out complete: 3 new pods have been updated...",
    ]);
    run(
      `kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}}}}'; kubectl set image statefulset/db a=nginx:1.28`,
    );
    expect(changes(run("kubectl rollout status statefulset/db"))).toEqual([
      "Waiting for partitioned roll out to finish: 0 out of 2 new pods have been updated...",
      "Waiting for 1 pods to be ready...",
      "Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...",
      "Waiting for 1 pods to be ready...",
      "partitioned roll out complete: 2 new pods have been updated...",
    ]);
    run(`kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'`);
    expect(typed("kubectl rollout status statefulset/db")).toEqual({
      output: "error: rollout status is only available for RollingUpdate strategy type\n",
      code: 1,
    });
  });

  it("[WRK-197] [WRK-198] has names for its Pods once somebody made the Service, for ready ones unless that says otherwise", () => {
    const { run } = sitting();
    run(`echo '${set()}' | kubectl apply -f -; kubectl rollout status statefulset/db`);
    run("kubectl run client --image=busybox:1.36 -- sleep 1d; kubectl wait --for=condition=Ready pod/client");
    const lookUp = (name: string): readonly string[] =>
      run(`kubectl exec client -- nslookup ${name}.default.svc.cluster.local | sed -n 's/^Address: //p'`)
        .split("\n")
        .slice(0)
        .filter((line) => /^10\.244\./u.test(line))
        .sort();
    expect(run("kubectl get services -o name")).toBe("service/kubernetes");
    expect(run("kubectl exec client -- nslookup db-1.db.default.svc.cluster.local")).toContain("NXDOMAIN");
    run("kubectl create service clusterip db --clusterip=None --tcp=80:80; sleep 40");
    const addresses = run(path("pods -l app=db", "{.items[*].status.podIP}")).split(" ");
    expect(lookUp("db")).toEqual([...addresses].sort());
    expect(lookUp("db-1.db")).toEqual([addresses[1]]);
    run(
      `kubectl patch statefulset db --type=json -p '[{"op":"add","path":"/spec/template/spec/containers/0/readinessProbe","value":{"exec":{"command":["false"]}}}]'`,
    );
    run("sleep 120");
    const last = run(path("pod db-2", "{.status.podIP}"));
    expect(lookUp("db")).not.toContain(last);
    expect(lookUp("db-2.db")).toEqual([]);
    run(`kubectl patch service db -p '{"spec":{"publishNotReadyAddresses":true}}'; sleep 40`);
    expect(lookUp("db-2.db")).toEqual([last]);
  });
});

describe("a DaemonSet's rollout", () => {
  const set = JSON.stringify({
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "a", image: "nginx:1.27", ports: [{ containerPort: 80, hostPort: 8081 }] }] },
      },
    },
  });

  it("[WRK-223] [WRK-224] is followed by rollout status, and goes back by its ControllerRevisions", () => {
    const { run } = sitting();
    run(
      `echo '${set}' | kubectl apply -f -; kubectl rollout status daemonset/agent; kubectl set image daemonset/agent a=nginx:1.28`,
    );
    expect(changes(run("kubectl rollout status daemonset/agent"))).toEqual([
      "Waiting for daemon set spec update to be observed...",
      'Waiting for daemon set "agent" rollout to finish: 0 out of 3 new pods have been updated...',
      'Waiting for daemon set "agent" rollout to finish: 1 out of 3 new pods have been updated...',
      'Waiting for daemon set "agent" rollout to finish: 2 out of 3 new pods have been updated...',
      'Waiting for daemon set "agent" rollout to finish: 2 of 3 updated pods are available...',
      'daemon set "agent" successfully rolled out',
    ]);
    const history = "daemonset.apps/agent \nREVISION CHANGE-CAUSE\n";
    expect(run("kubectl rollout history daemonset/agent")).toBe(`${history}1 <none>\n2 <none>`);
    expect(run("kubectl rollout undo daemonset/agent 2>/dev/null; kubectl rollout status daemonset/agent | tail -n 1")).toBe(
      'daemonset.apps/agent rolled back\ndaemon set "agent" successfully rolled out',
    );
    expect(run("kubectl rollout history daemonset/agent")).toBe(`${history}2 <none>\n3 <none>`);
    expect(run("kubectl get controllerrevisions -l app=agent -o custom-columns=R:.revision --no-headers | sort")).toBe("2\n3");
  });

  it("[WRK-228] gives each node a Pod that answers at the node's address; a second one for the port has no room", () => {
    const { run } = sitting(2);
    run(`echo '${set}' | kubectl apply -f -; kubectl rollout status daemonset/agent`);
    const address = run(path("node node-2", "{.status.addresses[0].address}"));
    expect(run(`ssh node-1 curl -s http://${address}:8081 | grep -c '<h1>Welcome'`)).toBe("1");
    run(
      `kubectl run second --image=nginx:1.27 --overrides='{"spec":{"containers":[{"name":"a","image":"nginx:1.27","ports":[{"containerPort":80,"hostPort":8081}]}]}}'; sleep 3`,
    );
    expect(run("kubectl get pod second --no-headers")).toMatch(/^second 0\/1 Pending /u);
    expect(
      run("kubectl get events --field-selector involvedObject.name=second -o custom-columns=M:.message --no-headers"),
    ).toContain("2 node(s) didn't have free ports for the requested pod ports");
  });

  it("[WRK-225] ends with its Pods, unless they are to be orphans", () => {
    const { run } = sitting();
    run(
      `echo '${set}' | kubectl apply -f -; kubectl rollout status daemonset/agent; kubectl delete daemonset agent --cascade=orphan; sleep 20`,
    );
    expect(
      run("kubectl get pods -l app=agent --no-headers")
        .split("\n")
        .filter((line) => / Running /u.test(line)),
    ).toHaveLength(3);
    run(`echo '${set}' | kubectl apply -f -; sleep 5; kubectl delete daemonset agent; sleep 20`);
    expect(run("kubectl get pods -l app=agent --no-headers")).toBe("No resources found in default namespace.");
  });
});
