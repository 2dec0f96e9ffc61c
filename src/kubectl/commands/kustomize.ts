// kubectl kustomize: the objects of a kustomization as YAML.

import type { Command } from "../context.ts";
import { writeYaml } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { buildKustomization } from "../kustomize/build.ts";

export const kustomize: Command = {
  path: "kustomize",
  *run(context) {
    if (context.args.length > 1) throw new KubectlError("specify one path to kustomization.yaml");
    const { objects, warnings } = buildKustomization(context.self, context.args[0] ?? ".");
    yield* context.err(warnings);
    const text = objects.map(writeYaml).join("---\n");
    const output = context.flags.text("output");
    if (output === "") yield* context.out(text);
    else context.self.writeFile(output, text, { permissions: 0o644 });
  },
};
