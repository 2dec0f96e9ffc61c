// The images on one node, by name and by digest.

import type { Architecture, Image, ImageRegistry, Puller, RegistryCredentials, ResolvedImage } from "#cluster/images/image.ts";
import { configDigest } from "#cluster/images/image-digests.ts";
import { parseReference, repositoryOf } from "#cluster/images/reference.ts";
import type { FileSystem } from "#sim/filesystem/file-system.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { RuntimeResult, StoredImage } from "./cri.ts";

export interface ImageStoreOptions {
  readonly simulation: Simulation;
  readonly registry: ImageRegistry;
  readonly disk: FileSystem;
  /** Who pulls. */
  readonly puller: Puller;
}

export interface AddOptions {
  readonly pinned?: boolean;
  /** Default: that of the machine. */
  readonly architecture?: Architecture;
  /** No tag comes to name it. */
  readonly byDigest?: boolean;
}

export class ImageStore {
  readonly #options: ImageStoreOptions;
  /** `repository:tag` and `repository@digest` → image. */
  readonly #byName = new Map<string, StoredImage>();
  readonly #digests = new Set<string>();
  #forgotten = 0;
  /** Grows with every change. */
  revision = 0;

  constructor(options: ImageStoreOptions) {
    this.#options = options;
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

  add(image: Image, { pinned = false, byDigest = false, ...options }: AddOptions = {}): StoredImage {
    const { simulation, disk, puller } = this.#options;
    const { architecture = puller.architecture } = options;
    const tag = `${image.repository}:${image.tag}`;
    const reference = `${image.repository}@${image.digest}`;
    const id = configDigest(image, architecture);
    const name = byDigest ? (this.#tagOf(id) ?? id) : tag;
    const stored: StoredImage = { image, name, reference, id, architecture, firstSeenMs: simulation.nowMs, pinned };
    if (!byDigest) this.#byName.set(tag, stored);
    if (!this.#byName.has(reference)) this.#byName.set(reference, stored);
    if (!this.#digests.has(image.digest)) disk.occupy(image.sizeBytes);
    this.#digests.add(image.digest);
    this.revision += 1;
    return stored;
  }

  #tagOf(id: string): string | undefined {
    for (const [name, stored] of this.#byName) if (stored.id === id && !name.includes("@")) return name;
    return undefined;
  }

  remove(reference: string): void {
    this.revision += 1;
    for (const [name, stored] of this.#byName) {
      if (stored.reference !== reference) continue;
      this.#byName.delete(name);
      const { digest, sizeBytes } = stored.image;
      if (!this.#digests.has(digest) || this.all().some(({ image }) => image.digest === digest)) continue;
      this.#digests.delete(digest);
      this.#options.disk.occupy(-sizeBytes);
    }
  }

  /** Layers that are here are not downloaded again. */
  pull(name: string, credentials: RegistryCredentials | undefined, done: (result: RuntimeResult<StoredImage>) => void): void {
    const { registry, puller } = this.#options;
    const result = registry.pull(name, credentials, puller);
    if (!result.ok) {
      const message = `rpc error: code = ${result.code ?? "Unknown"} desc = ${result.message}`;
      this.#later(result.durationMs, () => done({ ok: false, message }));
      return;
    }
    const { image, durationMs, resolveMs } = result;
    this.#later(resolveMs, () => {
      if (this.#digests.has(image.digest)) done({ ok: true, value: this.add(image, result) });
      else {
        result.download();
        const onDisk = this.#options.disk.writeBack?.hand(image.sizeBytes);
        this.#later(durationMs - resolveMs, () => this.#whenWritten(onDisk, () => done(this.#unpack(result))));
      }
    });
  }

  /** containerd calls fsync on each blob before the image is there (content store, commit). */
  #whenWritten(mark: number | undefined, callback: () => void): void {
    const { writeBack } = this.#options.disk;
    if (mark === undefined || writeBack === undefined || writeBack.isReached(mark)) callback();
    else {
      const before = this.#forgotten;
      writeBack.whenReached(mark, () => {
        if (before === this.#forgotten) callback();
      });
    }
  }

  /** Pulls that are under way never end: their machine is without power. */
  forgetPulls(): void {
    this.#forgotten += 1;
  }

  #later(delayMs: number, callback: () => void): void {
    const before = this.#forgotten;
    this.#options.simulation.after(delayMs, () => {
      if (before === this.#forgotten) callback();
    });
  }

  #unpack(pulled: ResolvedImage): RuntimeResult<StoredImage> {
    const { image } = pulled;
    const hasRoom = this.#digests.has(image.digest) || image.sizeBytes <= this.#options.disk.roomBytes;
    return hasRoom ? { ok: true, value: this.add(image, pulled) } : { ok: false, message: noRoomMessage(image) };
  }
}

/** As containerd puts it when it cannot unpack. */
function noRoomMessage({ repository, tag, digest }: Image): string {
  const place = `/var/lib/containerd/io.containerd.content.v1.content/ingest/${digest.slice("sha256:".length)}/data`;
  return `rpc error: code = Unknown desc = failed to pull and unpack image "${repository}:${tag}": failed to copy: write ${place}: no space left on device`;
}
