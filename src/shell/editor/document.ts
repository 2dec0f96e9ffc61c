// A file as an editor opens and writes it.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

export type Opened =
  | { readonly kind: "file"; readonly text: string; readonly sizeBytes: number }
  | { readonly kind: "new" }
  | { readonly kind: "refused"; readonly message: string };

/** Reads a file; one that does not exist is new. */
export function openDocument(self: Process, path: string): Opened {
  try {
    if (self.stat(path).type === "directory") return { kind: "refused", message: "Is a directory" };
    const bytes = self.readFile(path);
    return { kind: "file", text: new TextDecoder().decode(bytes), sizeBytes: bytes.length };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return error.code === "ENOENT" ? { kind: "new" } : { kind: "refused", message: error.message };
  }
}

/** Writes a file; the reason when it was refused. */
export function writeDocument(self: Process, path: string, text: string): string | undefined {
  try {
    self.writeFile(path, text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return error.message;
  }
}
