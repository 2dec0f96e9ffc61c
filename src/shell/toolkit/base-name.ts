// The last part of a path.

export function baseName(path: string): string {
  return path.replace(/\/+$/u, "").split("/").at(-1) || "/";
}
