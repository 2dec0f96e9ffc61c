// Roles and bindings. Rules are broken down to one resource each and put together again by what differs in verbs only.

import type { ClusterRoleBinding, PolicyRule, Role, RoleBinding } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { compareText, type Description } from "./description.ts";
import { withoutEvents } from "./from-object.ts";

interface Line {
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: string[];
}

function goList(values: readonly string[]): string {
  return `[${values.join(" ")}]`;
}

/** One line for each resource, group and name, in the order in which Go prints such rules. */
function linesOf(rules: readonly PolicyRule[] | undefined): readonly Line[] {
  const byResource = new Map<string, Line>();
  const urls: Line[] = [];
  for (const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs } of rules ?? []) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const name of resourceNames.length === 0 ? [undefined] : resourceNames) {
          const names = name === undefined ? [] : [name];
          const key = JSON.stringify([group, resource, names]);
          const line = byResource.get(key) ?? { group, resource, names, urls: [], verbs: [] };
          byResource.set(key, line);
          for (const verb of verbs) if (!line.verbs.includes(verb)) line.verbs.push(verb);
        }
      }
    }
    for (const url of nonResourceURLs) {
      for (const verb of verbs) urls.push({ group: "", resource: "", names: [], urls: [url], verbs: [verb] });
    }
  }
  const sortText = ({ group, resource, names, urls: paths, verbs }: Line): string =>
    `Verbs:${goList(verbs)},APIGroups:${goList(paths.length > 0 ? [] : [group])},Resources:${goList(paths.length > 0 ? [] : [resource])},` +
    `ResourceNames:${goList(names)},NonResourceURLs:${goList(paths)},`;
  return [...urls, ...byResource.values()].sort((a, b) => compareText(sortText(a), sortText(b)));
}

/** `deployments.apps/scale` */
function resourceText({ group, resource }: Line): string {
  const [name = "", subresource] = resource.split(/\/(.*)/s);
  return `${name}${group === "" ? "" : `.${group}`}${subresource === undefined ? "" : `/${subresource}`}`;
}

function describeHead(out: Description, { metadata }: Stored<unknown>): void {
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
}

/** Roles and ClusterRoles. */
export const describeRole = withoutEvents<Role>((out, role) => {
  describeHead(out, role);
  out.line("PolicyRule:");
  out.line("Resources\tNon-Resource URLs\tResource Names\tVerbs", 1);
  out.line("---------\t-----------------\t--------------\t-----", 1);
  for (const line of linesOf(role.rules))
    out.line(`${resourceText(line)}\t${goList(line.urls)}\t${goList(line.names)}\t${goList(line.verbs)}`, 1);
});

/** RoleBindings and ClusterRoleBindings. */
export const describeRoleBinding = withoutEvents<RoleBinding | ClusterRoleBinding>((out, binding) => {
  describeHead(out, binding);
  out.line("Role:");
  out.field("Kind", binding.roleRef.kind, 1);
  out.field("Name", binding.roleRef.name, 1);
  out.line("Subjects:");
  out.line("Kind\tName\tNamespace", 1);
  out.line("----\t----\t---------", 1);
  for (const { kind, name, namespace = "" } of binding.subjects ?? []) out.line(`${kind}\t${name}\t${namespace}`, 1);
});
