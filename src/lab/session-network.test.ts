// Checks that ask over the network and time steady clients, through a reload.

import { describe, expect, it } from "vitest";
import { bundleLab } from "./catalog.ts";
import { memoryStorage, names, passed, sources, visit } from "./session.test-kit.ts";

describe("a lab whose checks ask over the network and time steady clients", () => {
  const timedStep = (id: string, that: string): string => `- id: ${id}
  checks:
  - {id: there, that: '${that}', for: 5s, values: {count: traffic.web.sent}}
  solution: "true"
  wrong: [{id: nothing, commands: "true", fails: [there]}]
`;
  const setup = "  kubectl create deployment web --image=nginx:1.27\n  kubectl rollout status deployment/web\n";
  const client = '{name: web, from: node-1, url: "http://web", everyMs: 300}';
  const first = timedStep("a", 'http("node-1", "http://web").code == 200');
  const others = names.slice(1).map((name) => timedStep(name, "traffic.web.sentSinceStep > 1000"));
  const lab = `nodes: 1\ntraffic: [${client}]\nsetup: |\n${setup}steps:\n${first}${others.join("")}`;
  const busy = bundleLab({ ...sources, "labs/four/lab.yaml": lab }, "four", "fr");

  it("comes back after a reload with the same passes and the same counts", async () => {
    const storage = memoryStorage();
    const load = () => Promise.resolve(busy);
    const page = visit({ storage, load });
    const { id } = page.open();
    await page.begin();
    page.wall.pass(3000);
    expect(passed(page)).toEqual([]);
    page.type(id, "kubectl expose deployment web --port=80", "service/web exposed");
    page.wall.pass(20_000);
    expect(passed(page)).toEqual(["a"]);
    page.session.clock.setPaused(true);
    page.wall.pass(500);
    const { missing } = page.session.steps.value[1] ?? { missing: [] };
    expect(missing.map(({ text }) => text)).toEqual([expect.stringMatching(/^\d+ sur 4$/)]);
    page.session.close();

    const again = visit({ storage, load });
    await new Promise((resolve) => setImmediate(resolve));
    // Nothing but the replay: the clients would count on.
    again.wall.pass(0);
    expect(passed(again)).toEqual(["a"]);
    expect(again.session.steps.value[1]?.missing).toEqual(missing);
  });
});
