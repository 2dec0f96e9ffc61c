// kubectl kustomize: the objects of a kustomization as YAML.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Process } from "#sim/program.ts";
import type { Command } from "../context.ts";
import { writeYaml } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { buildKustomization } from "../kustomize/build.ts";
import { currentId, namespaceOf, noNamespace, type Resource } from "../kustomize/resource.ts";

const restrictions = ["LoadRestrictionsRootOnly", "LoadRestrictionsNone"];

export const kustomize: Command = {
  path: "kustomize",
  *run(context) {
    if (context.args.length > 1) throw new KubectlError("specify one path to kustomization.yaml");
    const restriction = context.flags.text("load-restrictor");
    if (restriction !== "" && !restrictions.includes(restriction)) {
      const legal = `legal values: [${restrictions.join(" ")}]`;
      throw new KubectlError(`illegal flag value --load-restrictor ${restriction}; ${legal}`);
    }
    const resources = yield* buildKustomization(context.self, context.args[0] ?? ".", {
      unrestricted: restriction === "LoadRestrictionsNone",
      warn: (text) => context.err(text),
    });
    const text = resources.map(({ object }) => writeYaml(object)).join("---\n");
    const output = context.flags.text("output");
    if (output === "") yield* context.out(text);
    else if (isFolder(context.self, output)) writeEach(context.self, output, resources);
    else context.self.writeFile(output, text, { permissions: 0o644 });
  },
};

function isFolder(self: Process, path: string): boolean {
  return self.exists(path) && self.stat(path).type === "directory";
}

/** A file for each object: `apps_v1_deployment_web.yaml`, with the namespace before it when there are several. */
function writeEach(self: Process, folder: string, resources: readonly Resource[]): void {
  const namespaces = new Set(resources.map((one) => namespaceOf(currentId(one))).filter((one) => one !== noNamespace));
  for (const resource of resources) {
    const id = currentId(resource);
    const place = namespaceOf(id);
    const words = [id.group, id.version, id.kind, id.name].filter((word) => word !== "");
    const before = namespaces.size > 1 && place !== noNamespace ? [place] : [];
    const name = asciiLowerCase([...before, ...words].join("_"));
    self.writeFile(`${folder}/${name}.yaml`, writeYaml(resource.object), { permissions: 0o644 });
  }
}
