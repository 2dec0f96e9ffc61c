// kubectl create configmap NAME and kubectl create secret generic NAME

import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import type { Command, Context } from "../context.ts";
import { KubectlError } from "../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";
import { keySources } from "./key-sources.ts";

export const createConfigMap: Command = {
  path: "create configmap",
  *run(context) {
    const name = nameArgument(context);
    refuseHash(context);
    const keys = [
      ...keySources(context, {
        invalidKey: (key, problems) => `${JSON.stringify(key)} is not a valid key name for a ConfigMap: ${problems.join(",")}`,
        duplicateKey: (key) =>
          `cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ConfigMap ${JSON.stringify(name)}`,
        envFileIsDirectory: "env config file cannot be a directory",
      }),
    ];
    const texts = keys.filter(([, value]) => isUtf8(value)).map(([key, value]) => [key, decodeUtf8(value)]);
    const binary = keys.filter(([, value]) => !isUtf8(value)).map(([key, value]) => [key, base64(value)]);
    yield* createObject(
      context,
      {
        apiVersion: "v1",
        ...(texts.length === 0 ? {} : { data: Object.fromEntries(texts) }),
        ...(binary.length === 0 ? {} : { binaryData: Object.fromEntries(binary) }),
        kind: "ConfigMap",
        metadata: metadataFor(context, name),
      },
      "configmap",
    );
  },
};

export const createSecretGeneric: Command = {
  path: "create secret generic",
  *run(context) {
    const name = nameArgument(context);
    refuseHash(context);
    const keys = keySources(context, {
      invalidKey: (key, problems) => `${JSON.stringify(key)} is not valid key name for a Secret ${problems.join(";")}`,
      duplicateKey: (key) => `cannot add key ${key}, another key by that name already exists`,
      envFileIsDirectory: "env secret file cannot be a directory",
    });
    const type = context.flags.text("type");
    yield* createObject(
      context,
      {
        apiVersion: "v1",
        ...(keys.size === 0 ? {} : { data: Object.fromEntries([...keys].map(([key, value]) => [key, base64(value)])) }),
        kind: "Secret",
        metadata: metadataFor(context, name),
        ...(type === "" ? {} : { type }),
      },
      "secret",
    );
  },
};

function refuseHash(context: Context): void {
  if (context.flags.bool("append-hash"))
    throw new KubectlError("--append-hash is not part of this release of the embedded kubectl");
}

function isUtf8(bytes: Bytes): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function base64(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
