// The go.mod with which the program in `facts/` is built from the modules of another release than the pinned one.

/**
 * `pinned` is our go.mod, `released` that of k8s.io/kubernetes in the version. What the release pins is taken in its version; modules that
 * are developed with Kubernetes (they stand in its go.mod as folders) are published as `v0.MINOR.PATCH`.
 */
export function goModuleFor(version: string, pinned: string, released: string): string {
  const published = version.replace(/^v1\./, "v0.");
  const siblings = [...released.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map(([, path = ""]) => path);
  const versions = new Map([...released.matchAll(/^\s*(?:require )?(\S+) (v\S+)/gm)].map(([, path = "", at = ""]) => [path, at]));
  for (const path of siblings) versions.set(path, published);
  versions.set("k8s.io/kubernetes", version);
  for (const [, path = "", at = ""] of directRequirements(pinned)) if (!versions.has(path)) versions.set(path, at);
  const lines = (entries: Iterable<string>) => [...entries].map((line) => `\t${line}\n`).join("");
  return [
    "module pilothouse/tests/oracle/facts\n\n",
    `go ${/^go (\S+)/m.exec(released)?.[1] ?? "1.24"}\n\n`,
    `require (\n${lines([...versions].map(([path, at]) => `${path} ${at}`))})\n\n`,
    `replace (\n${lines(siblings.map((path) => `${path} => ${path} ${published}`))})\n`,
  ].join("");
}

function directRequirements(module: string): Iterable<RegExpMatchArray> {
  return module.matchAll(/^\t(\S+) (v\S+)$/gm);
}
