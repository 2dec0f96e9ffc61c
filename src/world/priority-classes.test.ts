// Classes of priority, as kubectl and the API server speak of them.

import { describe, expect, it } from "vitest";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

function sitting() {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 1, files: {} });
  world.boot();
  const typist = new Typist(world);
  return (line: string): string => typist.run(line).output.trimEnd().replace(/ {2,}/gu, " ");
}

const columns =
  "-o custom-columns=N:.metadata.name,C:.spec.priorityClassName,P:.spec.priority,PP:.spec.preemptionPolicy --no-headers";

describe("priority classes", () => {
  it("[WRK-367] [WRK-369] [WRK-370] two are built in; one's own is made by a command and listed by value", () => {
    const run = sitting();
    expect(run("kubectl create priorityclass high-priority --value=1000000 --description='Sales first'")).toBe(
      "priorityclass.scheduling.k8s.io/high-priority created",
    );
    expect(run("kubectl get priorityclasses")).toMatch(
      new RegExp(
        [
          "^NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY",
          "high-priority 1000000 false \\d+s PreemptLowerPriority",
          "system-cluster-critical 2000000000 false \\S+ PreemptLowerPriority",
          "system-node-critical 2000001000 false \\S+ PreemptLowerPriority$",
        ].join("\n"),
        "u",
      ),
    );
    run("kubectl create namespace shop");
    expect(
      run(`kubectl run s -n shop --image=nginx:1.27 --overrides='{"spec":{"priorityClassName":"system-node-critical"}}'`),
    ).toBe("pod/s created");
  });

  it("[WRK-363] [WRK-364] [WRK-366] a class has bounds, a name that is not the system's, and stays as it is", () => {
    const run = sitting();
    expect(run("kubectl create priorityclass c --value=1000000001")).toBe(
      'error: failed to create priorityclass: PriorityClass.scheduling.k8s.io "c" is invalid: value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    );
    expect(run("kubectl create priorityclass top --value=1000000000")).toBe("priorityclass.scheduling.k8s.io/top created");
    expect(run("kubectl create priorityclass bottom --value=-2147483648")).toBe("priorityclass.scheduling.k8s.io/bottom created");
    expect(run("kubectl create priorityclass system-x --value=1")).toContain(
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only",
    );
    expect(run(`kubectl patch priorityclass top -p '{"value":11}'`)).toBe(
      'The PriorityClass "top" is invalid: value: Forbidden: may not be changed in an update.',
    );
    expect(run(`kubectl patch priorityclass top -p '{"preemptionPolicy":"Never"}'`)).toBe(
      'The PriorityClass "top" is invalid: preemptionPolicy: Invalid value: "Never": field is immutable',
    );
  });

  it("[WRK-365] there is one global default, which keeps its other fields changeable", () => {
    const run = sitting();
    const refused = (name: string): string =>
      `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass a is already marked as default. Only one default can exist`;
    run("kubectl create priorityclass a --value=10 --global-default");
    expect(run("kubectl create priorityclass b --value=20 --global-default")).toBe(
      `error: failed to create priorityclass: ${refused("b")}`,
    );
    run("kubectl create priorityclass low --value=5");
    expect(run(`kubectl patch priorityclass low -p '{"globalDefault":true}'`)).toBe(
      `Error from server (Forbidden): ${refused("low")}`,
    );
    expect(run(`kubectl patch priorityclass a -p '{"description":"for all"}'`)).toBe("priorityclass.scheduling.k8s.io/a patched");
    expect(run(`kubectl patch priorityclass a -p '{"globalDefault":false}'`)).toBe("priorityclass.scheduling.k8s.io/a patched");
    expect(run(`kubectl patch priorityclass low -p '{"globalDefault":true}'`)).toBe("priorityclass.scheduling.k8s.io/low patched");
  });

  it("[WRK-360] a Pod gets what its class says, or the global default's, or 0", () => {
    const run = sitting();
    run("kubectl create priorityclass patient --value=500 --preemption-policy=Never");
    run("kubectl run none --image=nginx:1.27");
    run(`kubectl run named --image=nginx:1.27 --overrides='{"spec":{"priorityClassName":"patient"}}'`);
    run("kubectl create priorityclass usual --value=7 --global-default");
    run("kubectl run later --image=nginx:1.27");
    expect(run(`kubectl get pods ${columns}`)).toBe(
      "later usual 7 PreemptLowerPriority\nnamed patient 500 Never\nnone <none> 0 PreemptLowerPriority",
    );
  });

  it("[WRK-361] [WRK-362] a Pod that names no class that is there, or a priority of its own, is refused", () => {
    const run = sitting();
    run("kubectl create priorityclass low --value=5 --preemption-policy=Never");
    const create = (spec: string): string => run(`kubectl run x --image=nginx:1.27 --overrides='{"spec":${spec}}'`);
    const forbidden = 'Error from server (Forbidden): pods "x" is forbidden: ';
    const computed = "priority admission controller computed";
    expect(create('{"priorityClassName":"high-priority"}')).toBe(`${forbidden}no PriorityClass with name high-priority was found`);
    expect(create('{"priority":5}')).toBe(
      `${forbidden}the integer value of priority (5) must not be provided in pod spec; ${computed} 0 from the given PriorityClass name`,
    );
    expect(create('{"preemptionPolicy":"Never"}')).toBe(
      `${forbidden}the string value of PreemptionPolicy (Never) must not be provided in pod spec; ${computed} PreemptLowerPriority from the given PriorityClass name`,
    );
    expect(create('{"priorityClassName":"low","priority":5,"preemptionPolicy":"Never"}')).toBe("pod/x created");
  });

  it("[WRK-368] who runs keeps the priority of a class that goes; its Deployment makes no more Pods", () => {
    const run = sitting();
    run("kubectl create priorityclass high-priority --value=1000");
    run("kubectl create deployment web --image=nginx:1.27");
    run(`kubectl patch deployment web -p '{"spec":{"template":{"spec":{"priorityClassName":"high-priority"}}}}'`);
    run("kubectl rollout status deployment/web");
    run("kubectl delete priorityclass high-priority");
    expect(run("kubectl get pods -o jsonpath='{.items[0].spec.priority} {.items[0].status.phase}'; echo")).toBe("1000 Running");
    run("kubectl delete pods -l app=web --now; sleep 3");
    expect(run("kubectl get pods --no-headers")).toBe("No resources found in default namespace.");
    expect(run("kubectl get events --field-selector reason=FailedCreate -o custom-columns=M:.message --no-headers")).toMatch(
      /^Error creating: pods "web-\w+-" is forbidden: no PriorityClass with name high-priority was found$/u,
    );
  });
});
