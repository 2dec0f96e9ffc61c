// A folder with a kustomization in a small world, and what `kubectl kustomize` says of it.

import { kubectlWorld } from "../kubectl.test-kit.ts";

/** Files below /k, each after a line `% path`. */
function filesOf(text: string): { readonly [path: string]: string } {
  const parts = text.split(/^% (.*)\n/m).slice(1);
  return Object.fromEntries(parts.flatMap((path, index) => (index % 2 === 0 ? [[`/k/${path}`, parts[index + 1] as string]] : [])));
}

/** What is printed for a folder below /k: stdout, stderr, and how it ended unless well. */
export function built(files: string, folder = "", flags = ""): string {
  const { stdout, stderr, code } = kubectlWorld(filesOf(files)).run(`kustomize /k${folder} ${flags}`);
  return `${stdout}${stderr}${code === 0 ? "" : `(exit ${code})\n`}`;
}
