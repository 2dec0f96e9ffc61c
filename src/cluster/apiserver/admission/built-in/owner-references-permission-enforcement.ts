// OwnerReferencesPermissionEnforcement: who gives an object an owner must be allowed to delete the object, and to hold the owner
// back if the reference does (plugin/pkg/admission/gc).

import { deepEqual } from "#cluster/api/equality.ts";
import type { OwnerReference } from "#cluster/api/generated/types.ts";
import type { ResourceAttributes } from "../../authorization/attributes.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted } from "../chain.ts";
import type { AdmissionWorld } from "../dynamic/matching.ts";

export function ownerReferencesPermissionEnforcement({ registry, authorizer }: AdmissionWorld): AdmissionPlugin {
  const isAllowed = (check: ResourceAttributes): boolean => authorizer.decide(check).allowed;
  return {
    name: "OwnerReferencesPermissionEnforcement",
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { definition, subresource, operation, object, old, user, namespace } = attributes;
      // Kubelets may not change owners, and old ones send them back wrong.
      if (definition.kind === "Pod" && subresource === "status") return;
      const owners = object.metadata.ownerReferences ?? [];
      if (deepEqual(owners, old?.metadata.ownerReferences ?? [])) return;
      const { group, plural: resource } = definition;
      const name = attributes.name || object.metadata.name || "";
      if (operation === "UPDATE" && !isAllowed({ user, verb: "delete", group, resource, subresource, namespace, name })) {
        throw notAdmitted(attributes, "cannot set an ownerRef on a resource you can't delete: , <nil>");
      }
      for (const owner of newlyBlocking(owners, old?.metadata.ownerReferences ?? [])) requireHold(attributes, owner);
    },
  };

  function requireHold(attributes: AdmissionAttributes, owner: OwnerReference): void {
    const { user, namespace } = attributes;
    const slash = owner.apiVersion.indexOf("/");
    const group = slash < 0 ? "" : owner.apiVersion.slice(0, slash);
    const kind = registry.findKind(group, owner.apiVersion.slice(slash + 1), owner.kind);
    if (kind === undefined) {
      const missing = `no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`;
      throw notAdmitted(
        attributes,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${owner.apiVersion} Kind ${owner.kind}: ${missing}`,
      );
    }
    const check = { user, verb: "update", group, resource: kind.plural, subresource: "finalizers", name: owner.name };
    if (isAllowed({ ...check, namespace: kind.namespaced ? namespace : "" })) return;
    throw notAdmitted(
      attributes,
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
    );
  }
}

function newlyBlocking(owners: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(before.filter((owner) => owner.blockOwnerDeletion === true).map(({ uid }) => uid));
  return owners.filter((owner) => owner.blockOwnerDeletion === true && !blocked.has(owner.uid));
}
