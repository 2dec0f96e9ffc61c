// What the server serves, kept in files for six hours (client-go's discovery/cached/disk): servergroups.json and one
// serverresources.json a group version, below ~/.kube/cache/discovery/<server>.

import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { arrayAt, textAt } from "../documents.ts";

const lifetimeMs = 6 * 3_600_000;

/** The documents as the server has them when it is asked for each by itself. */
export interface DiscoveryDocuments {
  /** An APIGroupList; the core group is the one without a name. */
  readonly groups: JsonValue;
  /** APIResourceLists by group version (`v1`, `apps/v1`). */
  readonly resources: ReadonlyMap<string, JsonValue>;
}

export class DiscoveryCache {
  readonly #self: Process;
  readonly #folder: string;

  /** `server`: host and port as the configuration has them, with the path if there is one. */
  constructor(self: Process, folder: string, server: string) {
    this.#self = self;
    this.#folder = `${folder}/discovery/${server.replace(/[^(\w/.)]/g, "_")}`;
  }

  /** undefined: something is missing, too old, or no JSON. */
  read(): DiscoveryDocuments | undefined {
    const groups = this.#readFile("servergroups.json");
    if (groups === undefined) return undefined;
    const resources = new Map<string, JsonValue>();
    for (const version of groupVersionsOf(groups)) {
      const list = this.#readFile(`${version}/serverresources.json`);
      if (list === undefined) return undefined;
      resources.set(version, list);
    }
    return { groups, resources };
  }

  /** Where files cannot be written there is no cache. */
  write({ groups, resources }: DiscoveryDocuments): void {
    try {
      this.#writeFile("servergroups.json", groups);
      for (const [version, list] of resources) this.#writeFile(`${version}/serverresources.json`, list);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }

  #readFile(name: string): JsonValue | undefined {
    const path = `${this.#folder}/${name}`;
    try {
      if (this.#self.nowMs > this.#self.stat(path).modifiedMs + lifetimeMs) return undefined;
      return readJson(this.#self.readText(path));
    } catch (error) {
      if (error instanceof SysError || error instanceof JsonSyntaxError) return undefined;
      throw error;
    }
  }

  #writeFile(name: string, document: JsonValue): void {
    const path = `${this.#folder}/${name}`;
    this.#makeFolders(path.slice(0, path.lastIndexOf("/")));
    this.#self.writeFile(path, `${JSON.stringify(document)}\n`);
    this.#self.chmod(path, 0o660);
  }

  #makeFolders(path: string): void {
    try {
      this.#self.stat(path);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "ENOENT") throw error;
      this.#makeFolders(path.slice(0, path.lastIndexOf("/")));
      this.#self.mkdir(path, 0o750);
    }
  }
}

/** In the order of the list; of each group in its own order. */
export function groupVersionsOf(groups: JsonValue): readonly string[] {
  return arrayAt(groups, "groups").flatMap((group) => arrayAt(group, "versions").map((version) => textAt(version, "groupVersion")));
}

/** `--cache-dir`, KUBECACHEDIR, else below the home. */
export function cacheFolder(self: Process, flag: string | undefined): string {
  return flag ?? self.env.get("KUBECACHEDIR") ?? `${self.env.get("HOME") ?? ""}/.kube/cache`;
}
