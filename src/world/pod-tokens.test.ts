// What a program in a Pod finds of its service account, and what it can do with it.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { anonymousPeer, exchangeAs, json } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  const container = { name: "nginx", image: "nginx:1.27" };
  for (const [name, spec] of [
    ["web", { containers: [container] }],
    ["bare", { automountServiceAccountToken: false, containers: [container] }],
  ] as const) {
    world.client.create(kinds.pods, { metadata: { name, namespace: "default" }, spec });
  }
  world.simulation.advance(20_000);
});

const readToken = (): string => learner.run(`kubectl exec web -- cat ${folder}/token; echo`).replaceAll("\n", "");

function ask(token: string, path: string): readonly unknown[] {
  const reply = exchangeAs(anonymousPeer, world.cluster.apiServer, {
    method: "GET",
    target: path,
    headers: { authorization: `Bearer ${token}` },
  });
  return [reply.status, reply.status < 300 ? "" : json(reply)["message"]];
}

describe("a pod's token", () => {
  it("[API-295] is there beside the certificate and the namespace, unless the pod wants none", () => {
    expect(learner.run(`kubectl exec web -- ls ${folder}`)).toBe("ca.crt\nnamespace\ntoken\n");
    expect(learner.run(`kubectl exec web -- cat ${folder}/namespace; echo`)).toBe("default\n");
    expect(learner.run(`kubectl exec bare -- ls ${folder}`)).toContain(`cannot access '${folder}': No such file or directory`);
  });

  it("[API-295] is the account's, with no rights but those of everyone", () => {
    const token = readToken();
    expect([ask(token, "/api"), ask(token, "/api/v1/namespaces/default/pods")]).toEqual([
      [200, ""],
      [
        403,
        'pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group "" in the namespace "default"',
      ],
    ]);
  });

  it("[NET-295] [API-295] is another after four fifths of its time", () => {
    const first = readToken();
    world.simulation.advance(2_700_000);
    const before = readToken();
    world.simulation.advance(300_000);
    const after = readToken();
    expect([before === first, after === first, ask(after, "/api")[0]]).toEqual([true, false, 200]);
  });

  it("[NET-295] takes the memory of one token, however often it is another", () => {
    const used = (): number => Number(learner.run(`kubectl exec web -- df ${folder} | tail -n 1`).trim().split(/ +/u)[2]);
    const before = used();
    world.simulation.advance(4 * 3_600_000);
    expect([before > 0, used()]).toEqual([true, before]);
  });

  it("[NET-409] ends with the pod", () => {
    const token = readToken();
    world.client.delete(kinds.pods, { namespace: "default", name: "web" }, { gracePeriodSeconds: 0 });
    world.simulation.advance(5000);
    expect(ask(token, "/api")).toEqual([401, "Unauthorized"]);
  });
});
