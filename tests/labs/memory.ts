// What this machine has proved: a lab whose own files, lesson and whole engine are as they were when its proofs held is not proved
// again. Kept beside the packages, so a clean clone remembers nothing.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LabSources } from "#lab/catalog.ts";
import { lessonTexts } from "../lessons/play.ts";

const folder = join("node_modules", ".cache", "pilothouse", "proofs");
/** A memory that nobody has asked for in that time goes. */
const keptMs = 30 * 24 * 3_600_000;

/** What all proofs load: the engine, the labs' own code, whoever types; and the packages beneath. */
const entries = ["tests/labs/proof.ts", "src/world/tools.ts"] as const;

const imports = /\b(?:import|export)\s(?!type\b)[^'"();]*?\bfrom\s*"([^"]+)"|\bimport\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/g;

/** Files that a module loads, by way of others too, itself included; packages are not followed. Sorted. */
export function loadedFiles(from: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const open = from.map((path) => resolve(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(path)) continue;
    found.add(path);
    for (const [, named, bare, late] of readFileSync(path, "utf8").matchAll(imports)) {
      const specifier = named ?? bare ?? late ?? "";
      if (specifier.startsWith("#")) open.push(resolve("src", specifier.slice(1)));
      else if (specifier.startsWith(".")) open.push(resolve(path, "..", specifier));
    }
  }
  return [...found].sort();
}

function hashOf(parts: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\n${part}`);
  return hash.digest("hex").slice(0, 32);
}

/** Changes with anything that could change the outcome of any proof, but for the labs and lessons themselves. */
export function engineHash(): string {
  const files = [...loadedFiles(entries), resolve("package-lock.json")];
  return hashOf([process.version, ...files.flatMap((path) => [path.slice(resolve(".").length), readFileSync(path, "utf8")])]);
}

export class ProofMemory {
  readonly #engine = engineHash();

  constructor() {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      if (statSync(join(folder, name)).mtimeMs < Date.now() - keptMs) rmSync(join(folder, name));
    }
  }

  /** Of a lesson its blocks count, which are all that a proof types; its prose may change. */
  keyOf(sources: LabSources, id: string): string {
    const files = Object.entries(sources).filter(([path]) => path.startsWith(`labs/${id}/`));
    const lesson = lessonTexts(id).map(({ path, blocks }) =>
      JSON.stringify([path, blocks.map((block) => ({ ...block, line: 0 }))]),
    );
    return hashOf([this.#engine, id, ...files.sort().flat(), ...lesson]);
  }

  has(key: string): boolean {
    const path = join(folder, key);
    if (!existsSync(path)) return false;
    utimesSync(path, new Date(), new Date());
    return true;
  }

  add(key: string, id: string): void {
    writeFileSync(join(folder, key), id);
  }
}
