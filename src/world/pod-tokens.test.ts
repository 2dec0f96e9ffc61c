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

  it("is kept for as long as it lasts when the account has gone; then the kubelet says why there is no other", () => {
    const account = { namespace: "default", name: "guest" };
    const token = { serviceAccountToken: { path: "token", expirationSeconds: 600 } };
    const make = (name: string): void => {
      const volumeMounts = [{ name: "t", mountPath: "/t" }];
      world.client.create(kinds.pods, {
        metadata: { name, namespace: "default" },
        spec: {
          serviceAccountName: "guest",
          automountServiceAccountToken: false,
          volumes: [{ name: "t", projected: { sources: [token] } }],
          containers: [{ name: "nginx", image: "nginx:1.27", volumeMounts }],
        },
      });
    };
    const warnings = (name: string): readonly string[] =>
      world.client
        .list(kinds.events, { namespace: "default" })
        .items.filter(({ involvedObject, reason }) => involvedObject.name === name && reason === "FailedMount")
        .map(({ message = "" }) => message);
    world.client.create(kinds.serviceAccounts, { metadata: account });
    make("held");
    world.simulation.advance(20_000);
    const read = () => learner.run("kubectl exec held -- cat /t/token; echo").trim();
    const first = read();
    world.client.delete(kinds.serviceAccounts, account);
    world.simulation.advance(560_000);
    expect([read(), warnings("held")]).toEqual([first, []]);
    world.simulation.advance(240_000);
    const { uid } = world.client.get(kinds.pods, { namespace: "default", name: "held" }).metadata;
    expect(warnings("held")).toEqual([
      `MountVolume.SetUp failed for volume "t" : token "guest"/"default"/[]string(nil)/600/v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:"held", UID:"${uid}"}/"" expired and refresh failed: serviceaccounts "guest" not found`,
    ]);
    world.client.create(kinds.serviceAccounts, { metadata: account });
    make("late");
    world.client.delete(kinds.serviceAccounts, account);
    world.simulation.advance(20_000);
    expect(warnings("late")).toEqual([
      'MountVolume.SetUp failed for volume "t" : failed to fetch token: serviceaccounts "guest" not found',
    ]);
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
