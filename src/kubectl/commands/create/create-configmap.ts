// kubectl create configmap NAME

import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import type { Command } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";
import { withHash } from "./create-secret.ts";
import { keySources } from "./key-sources.ts";

export const createConfigMap: Command = {
  path: "create configmap",
  *run(context) {
    const name = nameArgument(context);
    const keys = [
      ...keySources(context, {
        invalidKey: (key, problems) => `${JSON.stringify(key)} is not a valid key name for a ConfigMap: ${problems.join(",")}`,
        duplicateKey: (key) =>
          `cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ConfigMap ${JSON.stringify(name)}`,
        envFileIsDirectory: "env config file cannot be a directory",
      }),
    ];
    const texts = keys.filter(([, value]) => isUtf8(value)).map(([key, value]) => [key, decodeUtf8(value)]);
    const binary = keys.filter(([, value]) => !isUtf8(value)).map(([key, value]) => [key, encodeBase64(value)]);
    const map: JsonObject = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: metadataFor(context, name),
      ...(texts.length === 0 ? {} : { data: Object.fromEntries(texts) }),
      ...(binary.length === 0 ? {} : { binaryData: Object.fromEntries(binary) }),
    };
    yield* createObject(context, withHash(context, map, name), "configmap");
  },
};

function isUtf8(bytes: Bytes): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
