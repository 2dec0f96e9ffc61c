// A second round of the plugins that change objects: whoever asked to see the changes of others is asked again, once.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { KubeObject } from "#cluster/api/objects.ts";

/** One plugin's policies or webhooks over the two rounds of a request. */
class Invocations {
  readonly #reinvocable = new Set<string>();
  readonly #due = new Set<string>();
  #lastOutput: KubeObject | undefined;

  begin(isSecond: boolean, object: KubeObject): void {
    if (isSecond && !semanticDeepEqual(this.#lastOutput, object)) this.requireAll();
  }

  end(object: KubeObject): void {
    this.#lastOutput = object;
  }

  isDue(key: string): boolean {
    return this.#due.has(key);
  }

  invoked(key: string): void {
    this.#reinvocable.add(key);
  }

  requireAll(): void {
    for (const key of this.#reinvocable) this.#due.add(key);
    this.#reinvocable.clear();
  }
}

export class Reinvocation {
  /** Made for the first plugin that asks: of most requests none does. */
  #byPlugin: Map<string, Invocations> | undefined;
  isSecond = false;
  /** Somebody changed the object: the round is repeated. */
  isWanted = false;

  of(plugin: string): Invocations {
    this.#byPlugin ??= new Map();
    let invocations = this.#byPlugin.get(plugin);
    if (invocations === undefined) {
      invocations = new Invocations();
      this.#byPlugin.set(plugin, invocations);
    }
    return invocations;
  }
}
