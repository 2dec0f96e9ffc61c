// The last part of a path.

/** Without slashes at the end; `/` for the root. */
export function baseName(path: string): string {
  return path.replace(/\/+$/u, "").split("/").at(-1) || "/";
}
