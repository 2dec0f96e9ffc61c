// kubectl apply --prune: deletes what an earlier apply made and the given manifests no longer name.

import { klogLine } from "#cluster/api/klog.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { lastApplied } from "../../apply/last-applied.ts";
import { groupVersion, pathOf, type ResourceInfo } from "../../client/discovery.ts";
import type { Context } from "../../context.ts";
import { isArray, isObject, type JsonObject, textAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import type { Info } from "../../resources/selection.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { propagationOf } from "../delete.ts";
import { dryRunOf, dryRunQuery } from "../write-options.ts";

interface PrunedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const kindsOf = (group: string, version: string, kinds: readonly string[], namespaced = true): readonly PrunedKind[] =>
  kinds.map((kind) => ({ group, version, kind, namespaced }));

/** What is looked through without --prune-allowlist, in this order. */
const usualKinds: readonly PrunedKind[] = [
  ...kindsOf("", "v1", ["ConfigMap", "Endpoints", "PersistentVolumeClaim", "Pod", "ReplicationController", "Secret", "Service"]),
  ...kindsOf("batch", "v1", ["Job", "CronJob"]),
  ...kindsOf("networking.k8s.io", "v1", ["Ingress"]),
  ...kindsOf("apps", "v1", ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
  ...kindsOf("", "v1", ["Namespace", "PersistentVolume"], false),
];

const clusterScopedWarning =
  "Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag.";

function noMatches({ group, version, kind }: Omit<PrunedKind, "namespaced">): string {
  return `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(groupVersion({ group, version }))}`;
}

/** The kinds that --prune-allowlist names; none without it. */
export function* allowedKinds(context: Context): Sys<readonly ResourceInfo[]> {
  const mappings: ResourceInfo[] = [];
  for (const given of context.flags.list("prune-allowlist")) {
    const [first = "", version, kind, ...more] = given.split("/");
    if (version === undefined || kind === undefined || more.length > 0) {
      throw new KubectlError(`invalid GroupVersionKind format: ${given}, please follow <group/version/kind>`);
    }
    const group = first === "core" ? "" : first;
    const mapping = yield* context.discovery().forKind(groupVersion({ group, version }), kind);
    if (mapping === undefined) throw new KubectlError(noMatches({ group, version, kind }));
    mappings.push(mapping);
  }
  return mappings;
}

export function checkPruning({ flags }: Context): void {
  if (flags.bool("force")) throw new KubectlError("--force cannot be used with --prune");
  if (!flags.bool("all") && flags.text("selector") === "") {
    throw new KubectlError(
      "all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector",
    );
  }
  if (flags.bool("server-side")) {
    throw new KubectlError("--prune is in alpha and doesn't currently work on objects created by server-side apply");
  }
}

function* usualMappings(context: Context): Sys<readonly ResourceInfo[]> {
  yield* context.err(klogLine(context.self, "W", "prune.go:71", clusterScopedWarning));
  const mappings: ResourceInfo[] = [];
  for (const kind of usualKinds) {
    const mapping = yield* context.discovery().forKind(groupVersion(kind), kind.kind);
    if (mapping === undefined) {
      const subject = `${kind.group}/${kind.version}, Kind=${kind.kind}, Namespaced=${kind.namespaced}`;
      throw new KubectlError(`error retrieving RESTMappings to prune: invalid resource ${subject}: ${noMatches(kind)}`);
    }
    mappings.push(mapping);
  }
  return mappings;
}

/** `applied` is what the manifests named; kinds of the cluster are looked through last. */
export function* prune(context: Context, applied: readonly Info[], allowed: readonly ResourceInfo[]): Sys<void> {
  const mappings = allowed.length > 0 ? allowed : yield* usualMappings(context);
  const { name: given, explicit } = context.namespace();
  const namespaces = new Set([...(explicit ? [given] : []), ...applied.flatMap(({ namespace }) => namespace || [])]);
  const kept = new Set(applied.map(({ mapping, namespace, name }) => pathOf(mapping, namespace, name)));
  const inNamespaces = [...namespaces].flatMap((namespace) =>
    mappings.filter(({ namespaced }) => namespaced).map((mapping) => ({ mapping, namespace })),
  );
  const inCluster = mappings.filter(({ namespaced }) => !namespaced).map((mapping) => ({ mapping, namespace: "" }));
  for (const place of [...inNamespaces, ...inCluster]) {
    const { mapping } = place;
    try {
      yield* pruneKind(context, place, kept);
    } catch (error) {
      if (!isOwnError(error)) throw error;
      const scope = mapping.namespaced ? "namespaced" : "nonNamespaced";
      const kind = `${mapping.group}/${mapping.version}, Kind=${mapping.kind}`;
      throw new KubectlError(`error pruning ${scope} object ${kind}: ${error.message}`);
    }
  }
}

interface Place {
  readonly mapping: ResourceInfo;
  readonly namespace: string;
}

function* pruneKind(context: Context, { mapping, namespace }: Place, kept: ReadonlySet<string>): Sys<void> {
  const { flags } = context;
  const dryRun = dryRunOf(context);
  const selector = flags.text("selector");
  const list = yield* context.client().json({
    method: "GET",
    path: pathOf(mapping, namespace),
    query: selector === "" ? {} : { labelSelector: selector },
  });
  const items = isObject(list) && isArray(list.items) ? list.items.filter(isObject) : [];
  const propagationPolicy = yield* propagationOf(context);
  const grace = flags.number("grace-period");
  for (const item of items) {
    const path = pathOf(mapping, namespace, textAt(item, "metadata", "name"));
    if (lastApplied(item) === undefined || kept.has(path)) continue;
    if (dryRun !== "client") {
      const body: JsonObject = { propagationPolicy, ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}) };
      yield* context.client().json({ method: "DELETE", path, query: dryRunQuery(dryRun), body });
    }
    const object = { ...item, apiVersion: groupVersion(mapping), kind: mapping.kind };
    yield* context.out(writingPrinter(context, "pruned")(object));
  }
}
