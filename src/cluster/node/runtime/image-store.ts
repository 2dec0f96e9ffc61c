// The images on one node, by name and by digest.

import type { Image, ImageRegistry, RegistryCredentials } from "#cluster/images/image.ts";
import { parseReference, repositoryOf } from "#cluster/images/reference.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { RuntimeResult, StoredImage } from "./cri.ts";

export class ImageStore {
  readonly #simulation: Simulation;
  readonly #registry: ImageRegistry;
  /** `repository:tag` and `repository@digest` → image. */
  readonly #byName = new Map<string, StoredImage>();
  readonly #digests = new Set<string>();
  /** Grows with every change. */
  revision = 0;

  constructor(simulation: Simulation, registry: ImageRegistry) {
    this.#simulation = simulation;
    this.#registry = registry;
  }

  /** By a name as written in a Pod. */
  find(name: string): StoredImage | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const parsed = parseReference(name);
    if (!parsed.ok) return undefined;
    const { reference } = parsed;
    const suffix = reference.digest === undefined ? `:${reference.tag}` : `@${reference.digest}`;
    return this.#byName.get(repositoryOf(reference) + suffix);
  }

  /** Each digest once. */
  all(): readonly StoredImage[] {
    const seen = new Map<string, StoredImage>();
    for (const stored of this.#byName.values()) if (!seen.has(stored.reference)) seen.set(stored.reference, stored);
    return [...seen.values()];
  }

  /** All names of an image, with its digest name first. */
  namesOf(reference: string): readonly string[] {
    return [...this.#byName]
      .filter(([, stored]) => stored.reference === reference)
      .map(([name]) => name)
      .sort();
  }

  add(image: Image, pinned: boolean): StoredImage {
    const name = `${image.repository}:${image.tag}`;
    const reference = `${image.repository}@${image.digest}`;
    const stored: StoredImage = { image, name, reference, firstSeenMs: this.#simulation.nowMs, pinned };
    this.#byName.set(name, stored);
    if (!this.#byName.has(reference)) this.#byName.set(reference, stored);
    this.#digests.add(image.digest);
    this.revision += 1;
    return stored;
  }

  remove(reference: string): void {
    this.revision += 1;
    for (const [name, stored] of this.#byName) {
      if (stored.reference !== reference) continue;
      this.#byName.delete(name);
      this.#digests.delete(stored.image.digest);
    }
  }

  /** Layers that are here are not downloaded again. */
  pull(name: string, credentials: RegistryCredentials | undefined, done: (result: RuntimeResult<StoredImage>) => void): void {
    const result = this.#registry.pull(name, credentials);
    if (!result.ok) {
      const message = `rpc error: code = ${result.code ?? "Unknown"} desc = ${result.message}`;
      this.#simulation.after(result.durationMs, () => done({ ok: false, message }));
      return;
    }
    const { image, durationMs, resolveMs = durationMs } = result;
    const tookMs = this.#digests.has(image.digest) ? resolveMs : durationMs;
    this.#simulation.after(tookMs, () => done({ ok: true, value: this.add(image, false) }));
  }
}
