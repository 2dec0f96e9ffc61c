// placeholder, replaced below
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";

/** What a write reserved; kept when the write succeeds, given back when it fails. */
export interface Allocation {
  readonly object: KubeObject;
  keep(): void;
  release(): void;
}

export class ServiceAllocators {
  beginCreate(_definition: ResourceDefinition, object: KubeObject, _dryRun: boolean): Allocation {
    return { object, keep: () => {}, release: () => {} };
  }

  beginUpdate(_definition: ResourceDefinition, object: KubeObject, _old: KubeObject, _dryRun: boolean): Allocation {
    return { object, keep: () => {}, release: () => {} };
  }

  released(_definition: ResourceDefinition, _object: KubeObject): void {}
}
