// kubectl create deployment NAME --image=…

import { generatedNameAlphabet } from "#cluster/api/names.ts";
import type { Command, Context } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { requireFlags } from "../../resources/writing.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

export const createDeployment: Command = {
  path: "create deployment",
  *run(context) {
    const { flags } = context;
    requireFlags(context, "image");
    const name = nameArgument(context);
    const images = flags.list("image");
    const command = context.args.slice(1);
    if (images.length > 1 && command.length > 0) throw new KubectlError("cannot specify multiple --image options and command");
    const labels = { app: name };
    const port = flags.number("port");
    const containers = images.map(
      (image, index): JsonObject => ({
        name: containerName(context, image),
        image,
        ...(command.length === 0 ? {} : { command }),
        ...(index === 0 && port >= 0 ? { ports: [{ containerPort: port }] } : {}),
        resources: {},
      }),
    );
    const deployment: JsonObject = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: metadataFor(context, name, labels),
      spec: {
        replicas: flags.number("replicas"),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
        strategy: {},
      },
      status: {},
    };
    yield* createObject(context, deployment, "deployment");
  },
};

/** The image's name without registry, tag and digest; made a DNS label where it is none. */
function containerName(context: Context, image: string): string {
  const base = (image.split("/").at(-1) ?? "").split(":")[0]?.split("@")[0] ?? "";
  if (!/[_.]/.test(base)) return base;
  return `${base.replace(/[_.]/g, "-")}-${context.self.random.text(5, generatedNameAlphabet)}`;
}
