// Laws of who is who: accounts and their tokens, roles made of others, certificates that are asked for, and policies.

import type { CertificateSigningRequest, ClusterRole, Secret } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { detachedSignature } from "#cluster/controllers/bootstrap/detached-signature.ts";
import { Random } from "#sim/random.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import type { Law, Scene } from "./law.test-kit.ts";
import { meta, now, rememberedMs, wants, writer } from "./law-parts.ts";

const room = "room";
const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";
const rootCa = "kube-root-ca.crt";
const authorities = new WeakMap<Scene, string>();

/** Every namespace has its account and the cluster's certificate, and tokens live as long as whom they stand for. */
export const accounts: Law = {
  begin(scene) {
    const map = scene.client.get(kinds.configMaps, { namespace: "kube-system", name: rootCa });
    authorities.set(scene, map.data?.["ca.crt"] ?? "");
    const known = new Set<string>();
    scene.onWrite(kinds.serviceAccounts, ({ object: { metadata } }) => known.add(metadata.uid));
    scene.onWrite(kinds.secrets, ({ object: { metadata, data }, deleted }) => {
      if (deleted || data?.["token"] === undefined || writer(scene) !== "system:kube-controller-manager") return;
      const { sub } = claimsOf(data["token"]);
      const account = `system:serviceaccount:${metadata.namespace}:${metadata.annotations?.[accountName]}`;
      scene.must(sub === account, () => `${metadata.name} stands for ${sub}, asked for ${account}`);
      scene.must(known.has(metadata.annotations?.[accountUid] ?? ""), () => `${metadata.name} stands for an account never seen`);
    });
    scene.create(kinds.namespaces, { metadata: { name: room } });
    scene.create(kinds.serviceAccounts, { metadata: meta("robot") });
    createToken(scene);
  },
  edits: [
    (scene) => scene.create(kinds.namespaces, { metadata: { name: room } }),
    (scene) => scene.delete(kinds.namespaces, room),
    (scene) => scene.delete(kinds.serviceAccounts, "default"),
    (scene) => scene.delete(kinds.configMaps, rootCa),
    (scene) => scene.patch(kinds.configMaps, rootCa, { data: { "ca.crt": "another", more: "1" } }),
    (scene) => scene.create(kinds.serviceAccounts, { metadata: meta("robot") }),
    (scene) => scene.delete(kinds.serviceAccounts, "robot"),
    createToken,
    createToken,
    (scene) =>
      scene.patch(kinds.secrets, `token-${scene.between(1, 3)}`, { data: scene.pick([{ token: null }, { "ca.crt": "YQ==" }]) }),
  ],
  missing(scene) {
    const problems: string[] = [];
    const robot = scene.find(kinds.serviceAccounts, "robot");
    for (const { metadata } of scene.client.list(kinds.namespaces).items) {
      if (metadata.deletionTimestamp !== undefined) {
        problems.push(`${metadata.name} is still there`);
        continue;
      }
      const own = { namespace: metadata.name };
      const names = scene.client.list(kinds.serviceAccounts, own).items.map((each) => each.metadata.name);
      wants(problems, names.includes("default"), `${metadata.name} has no default account`);
      const map = scene.client.list(kinds.configMaps, own).items.find((each) => each.metadata.name === rootCa);
      wants(problems, now(map?.data) === now({ "ca.crt": authorities.get(scene) }), `${metadata.name} has another certificate`);
    }
    for (const { metadata, data, type } of scene.list(kinds.secrets)) {
      if (type !== "kubernetes.io/service-account-token") continue;
      const uid = metadata.annotations?.[accountUid];
      wants(problems, robot !== undefined && uid === robot.metadata.uid, `${metadata.name} stands for ${uid}`);
      const held = claimsOf(data?.["token"] ?? "")["kubernetes.io/serviceaccount/service-account.uid"];
      wants(problems, held === uid, `the token of ${metadata.name} is of ${held}`);
      wants(problems, data?.["ca.crt"] === btoa(authorities.get(scene) ?? ""), `${metadata.name} has another certificate`);
    }
    return problems;
  },
};

function createToken(scene: Scene): void {
  scene.create(kinds.secrets, {
    metadata: { ...meta(`token-${scene.between(1, 3)}`), annotations: { [accountName]: "robot" } },
    type: "kubernetes.io/service-account-token",
  } satisfies Secret & { metadata: { name: string } });
}

function claimsOf(token: string): { readonly [claim: string]: unknown } {
  const [, payload] = token === "" ? [] : atob(token).split(".");
  return payload === undefined ? {} : JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}

const partLabel = "example.com/part";
const ruleFor = (resource: string) => ({ apiGroups: [""], resources: [resource], verbs: ["get"] });
const things = ["pods", "secrets", "services", "nodes", "endpoints"];

/** A role of roles holds what its parts hold, and never what none of them held. */
export const roles: Law = {
  begin(scene) {
    const everHeld = new Set<string>();
    scene.onWrite(kinds.clusterRoles, ({ object: { metadata, rules }, deleted }) => {
      if (deleted) return;
      const held = (rules ?? []).map(now);
      if (metadata.labels?.[partLabel] !== undefined) for (const rule of held) everHeld.add(rule);
      if (metadata.name !== "whole" || writer(scene) !== "clusterrole-aggregation-controller") return;
      const more = held.find((rule) => !everHeld.has(rule));
      scene.must(more === undefined, () => `the whole gets ${more}, which no part held`);
    });
    scene.create(kinds.clusterRoles, {
      metadata: { name: "whole" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [partLabel]: "yes" } }] },
    });
    createPart(scene);
  },
  edits: [
    createPart,
    createPart,
    (scene) => scene.delete(kinds.clusterRoles, `part-${scene.between(1, 4)}`),
    (scene) => scene.patch(kinds.clusterRoles, `part-${scene.between(1, 4)}`, { rules: [rule(scene), rule(scene)] }),
    (scene) =>
      scene.patch(kinds.clusterRoles, `part-${scene.between(1, 4)}`, {
        metadata: { labels: { [partLabel]: scene.pick(["yes", "no"]) } },
      }),
    (scene) => scene.patch(kinds.clusterRoles, "whole", { rules: [rule(scene)] }),
  ],
  missing(scene) {
    const all = scene.client.list(kinds.clusterRoles).items;
    const distinct = (list: readonly Stored<ClusterRole>[]) =>
      [...new Set(list.flatMap(({ rules }) => (rules ?? []).map(now)))].sort();
    const wanted = distinct(all.filter(({ metadata }) => metadata.labels?.[partLabel] === "yes"));
    const held = distinct(all.filter(({ metadata }) => metadata.name === "whole"));
    return now(held) === now(wanted) ? [] : [`the whole holds ${now(held)}, its parts ${now(wanted)}`];
  },
};

const rule = (scene: Scene) => ruleFor(scene.pick(things));

function createPart(scene: Scene): void {
  scene.create(kinds.clusterRoles, {
    metadata: { name: `part-${scene.between(1, 4)}`, labels: { [partLabel]: "yes" } },
    rules: [ruleFor(scene.pick(things))],
  });
}

const key = generateKey(1024, new Random(7));
const request = btoa(requestPem(createRequest(subjectName("jane", ["dev"]), key, [])));
const hourMs = 3_600_000;

/** What is approved is signed, once; what is denied never; both go an hour later. */
export const certificates: Law = {
  begin(scene) {
    scene.onWrite(kinds.certificateSigningRequests, ({ object, previous, deleted, timeMs }) => {
      const { name } = object.metadata;
      const [before, after] = [previous?.status?.certificate, object.status?.certificate];
      if (deleted && writer(scene) === "certificate-controller") {
        const times = (object.status?.conditions ?? []).map(({ lastUpdateTime }) => Date.parse(lastUpdateTime ?? ""));
        scene.must(
          times.length > 0 && Math.min(...times) <= timeMs - hourMs,
          () => `${name} is swept away early: ${now(object.status?.conditions)}`,
        );
      }
      if (deleted) return;
      const isSigned = after !== undefined && after !== "";
      scene.must(
        !isSigned || (is(object, "Approved") && !is(object, "Denied")),
        () => `${name} is signed: ${now(object.status?.conditions)}`,
      );
      scene.must(!before || before === after, () => `${name} is signed twice`);
    });
    askFor(scene);
  },
  edits: [
    askFor,
    askFor,
    (scene) => decide(scene, "Approved"),
    (scene) => decide(scene, "Approved"),
    (scene) => decide(scene, "Denied"),
    (scene) => scene.delete(kinds.certificateSigningRequests, `jane-${scene.between(1, 6)}`),
    (scene) => scene.advance(hourMs / 2),
  ],
  missing(scene) {
    const problems: string[] = [];
    for (const each of scene.client.list(kinds.certificateSigningRequests).items) {
      const { metadata, status } = each;
      if (!metadata.name.startsWith("jane")) continue;
      wants(problems, !is(each, "Approved") || Boolean(status?.certificate), `${metadata.name} is approved and not signed`);
      const times = (status?.conditions ?? []).map(({ lastUpdateTime }) => Date.parse(lastUpdateTime ?? ""));
      wants(problems, !times.some((atMs) => atMs < scene.nowMs - 2 * hourMs - 60_000), `${metadata.name} is over for long`);
    }
    return problems;
  },
};

const is = ({ status }: CertificateSigningRequest, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === "True") === true;

function askFor(scene: Scene): void {
  scene.create(kinds.certificateSigningRequests, {
    metadata: { name: `jane-${scene.between(1, 6)}` },
    spec: { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] },
  });
}

function decide(scene: Scene, type: "Approved" | "Denied"): void {
  const name = `jane-${scene.between(1, 6)}`;
  scene.try(`${type} ${name}`, () => {
    const found = scene.client.get(kinds.certificateSigningRequests, { namespace: "", name });
    const conditions = [...(found.status?.conditions ?? []), { type, status: "True", reason: "ByHand", message: "by hand" }];
    scene.client.update(
      kinds.certificateSigningRequests,
      { ...found, status: { ...found.status, conditions } },
      { subresource: "approval" },
    );
  });
}

/** A policy's status says of which state of it it speaks. */
export const policies: Law = {
  begin(scene) {
    scene.onWrite(kinds.validatingAdmissionPolicies, ({ object: { metadata, status }, previous, deleted }) => {
      if (deleted) return;
      const [before, after] = [previous?.status?.observedGeneration ?? 0, status?.observedGeneration ?? 0];
      const isOwn = previous === undefined || previous.metadata.uid === metadata.uid;
      scene.must(after <= (metadata.generation ?? 0), () => `${metadata.name} is at ${metadata.generation}, observed ${after}`);
      scene.must(!isOwn || after >= before, () => `${metadata.name} was observed at ${before}, now at ${after}`);
    });
    createPolicy(scene);
  },
  edits: [
    createPolicy,
    createPolicy,
    (scene) =>
      scene.patch(kinds.validatingAdmissionPolicies, `policy-${scene.between(1, 3)}`, {
        spec: { validations: [validation(scene)] },
      }),
    (scene) =>
      scene.patch(kinds.validatingAdmissionPolicies, `policy-${scene.between(1, 3)}`, {
        spec: { validations: [validation(scene)] },
      }),
    (scene) => scene.delete(kinds.validatingAdmissionPolicies, `policy-${scene.between(1, 3)}`),
  ],
  missing: (scene) =>
    scene.client
      .list(kinds.validatingAdmissionPolicies)
      .items.filter(({ metadata, status }) => status?.observedGeneration !== metadata.generation)
      .map(({ metadata, status }) => `${metadata.name} is at ${metadata.generation}, observed ${status?.observedGeneration}`),
};

const validation = (scene: Scene) => ({ expression: `object.spec.replicas <= ${scene.between(1, 9)}` });

function createPolicy(scene: Scene): void {
  scene.create(kinds.validatingAdmissionPolicies, {
    metadata: { name: `policy-${scene.between(1, 3)}` },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
      },
      validations: [validation(scene)],
    },
  });
}

const place = "kube-system";
const signature = "jws-kubeconfig-";
const tokenIds = ["aaaaa1", "aaaaa2", "aaaaa3"];

/** Tokens to join with go when their time is over, and not before; the cluster's words are signed with those that may sign. */
export const bootstrapTokens: Law = {
  begin(scene) {
    // As they were within the last minutes: a controller may not have heard of a longer life.
    const ends = new Map<string, { readonly atMs: number; readonly endMs: number }[]>();
    scene.onWrite(kinds.secrets, ({ object, deleted, timeMs }) => {
      if (object.metadata.namespace !== place) return;
      const all = ends.get(object.metadata.uid) ?? [];
      if (!deleted) ends.set(object.metadata.uid, [...all, { atMs: timeMs, endMs: endOf(object) }]);
      else if (writer(scene) === "token-cleaner") {
        const recent = all.filter((_, index) => (all[index + 1]?.atMs ?? timeMs) >= timeMs - rememberedMs);
        const first = Math.min(...recent.map(({ endMs }) => endMs));
        scene.must(first <= timeMs, () => `${object.metadata.name} goes ${(first - timeMs) / 1000} s early`);
      }
    });
    createJoinToken(scene);
  },
  edits: [
    createJoinToken,
    createJoinToken,
    createJoinToken,
    (scene) => patchJoinToken(scene, { expiration: btoa(new Date(scene.nowMs + scene.between(1, 900) * 1000).toISOString()) }),
    (scene) => patchJoinToken(scene, { "usage-bootstrap-signing": scene.pick([btoa("true"), null]) }),
    (scene) => patchJoinToken(scene, { "token-secret": btoa(`0123456789abcde${scene.between(0, 9)}`) }),
    (scene) =>
      scene.try("write over cluster-info", () =>
        scene.client.patch(kinds.configMaps, { namespace: "kube-public", name: "cluster-info" }, "merge", {
          data: { [`${signature}${scene.pick(tokenIds)}`]: scene.pick([null, "forged"]), kubeconfig: `words ${scene.nowMs}` },
        }),
      ),
  ],
  missing(scene) {
    const problems: string[] = [];
    const tokens = scene.client
      .list(kinds.secrets, { namespace: place })
      .items.filter(({ type }) => type === "bootstrap.kubernetes.io/token");
    for (const token of tokens) wants(problems, endOf(token) > scene.nowMs, `${token.metadata.name} is over`);
    const { data = {} } = scene.client.get(kinds.configMaps, { namespace: "kube-public", name: "cluster-info" });
    const signed = Object.entries(data).filter(([key]) => key.startsWith(signature));
    const wanted = tokens
      .filter(({ data: own }) => own?.["usage-bootstrap-signing"] === btoa("true"))
      .map(({ data: own }) => {
        const [id, secret] = [atob(own?.["token-id"] ?? ""), atob(own?.["token-secret"] ?? "")];
        return [`${signature}${id}`, detachedSignature(data["kubeconfig"] ?? "", id, secret)] as const;
      });
    const inOrder = (pairs: readonly (readonly [string, string])[]) => now([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)));
    wants(problems, inOrder(signed) === inOrder(wanted), `signed ${inOrder(signed)}, wanted ${inOrder(wanted)}`);
    return problems;
  },
};

function endOf({ data }: Secret): number {
  const text = data?.["expiration"];
  return text === undefined ? Number.POSITIVE_INFINITY : Date.parse(atob(text));
}

function createJoinToken(scene: Scene): void {
  const id = scene.pick(tokenIds);
  const endsMs = scene.nowMs + scene.pick([20, 90, 600, 7200]) * 1000;
  scene.try(`create the token ${id}`, () =>
    scene.client.create(kinds.secrets, {
      metadata: { namespace: place, name: `bootstrap-token-${id}` },
      type: "bootstrap.kubernetes.io/token",
      data: {
        "token-id": btoa(id),
        "token-secret": btoa("0123456789abcdef"),
        "usage-bootstrap-signing": btoa("true"),
        "usage-bootstrap-authentication": btoa("true"),
        ...(scene.random.below(4) === 0 ? {} : { expiration: btoa(new Date(endsMs).toISOString()) }),
      },
    }),
  );
}

function patchJoinToken(scene: Scene, data: { readonly [key: string]: string | null }): void {
  const name = `bootstrap-token-${scene.pick(tokenIds)}`;
  scene.try(`patch ${name} ${now(data)}`, () =>
    scene.client.patch(kinds.secrets, { namespace: place, name }, "merge", { data: { ...data } }),
  );
}
