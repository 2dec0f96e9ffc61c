// kubectl create secret generic, docker-registry and tls

import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { keyPairFault } from "#x509/key-pair.ts";
import type { Command, Context } from "../../context.ts";
import { type JsonObject, withValue } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";
import { contentHash } from "./hash-suffix.ts";
import { type KeyWording, keySources } from "./key-sources.ts";

const wording: KeyWording = {
  invalidKey: (key, problems) => `${JSON.stringify(key)} is not valid key name for a Secret ${problems.join(";")}`,
  duplicateKey: (key) => `cannot add key ${key}, another key by that name already exists`,
  envFileIsDirectory: "env secret file cannot be a directory",
};

/** The object named after its content, where --append-hash asks for it. */
export function withHash(context: Context, object: JsonObject, name: string): JsonObject {
  return context.flags.bool("append-hash") ? withValue(object, ["metadata", "name"], `${name}-${contentHash(object)}`) : object;
}

function* createSecret(context: Context, name: string, type: string, data: JsonObject, what: string): Sys<void> {
  const secret: JsonObject = {
    kind: "Secret",
    apiVersion: "v1",
    metadata: metadataFor(context, name),
    ...(Object.keys(data).length === 0 ? {} : { data }),
    ...(type === "" ? {} : { type }),
  };
  yield* createObject(context, withHash(context, secret, name), what);
}

export const createSecretGeneric: Command = {
  path: "create secret generic",
  *run(context) {
    const name = nameArgument(context);
    const keys = [...keySources(context, wording)].map(([key, value]) => [key, encodeBase64(value)]);
    yield* createSecret(context, name, context.flags.text("type"), Object.fromEntries(keys), "secret");
  },
};

export const createSecretDockerRegistry: Command = {
  path: "create secret docker-registry",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const field = (flag: string): string => flags.text(`docker-${flag}`);
    const files = flags.list("from-file");
    if (files.length === 0 && (field("username") === "" || field("password") === "" || field("server") === "")) {
      throw new KubectlError(
        "either --from-file or the combination of --docker-username, --docker-password and --docker-server is required",
      );
    }
    const data =
      files.length === 0
        ? { ".dockerconfigjson": encodeBase64(dockerConfig(field)) }
        : Object.fromEntries([...dockerFiles(context)].map(([key, value]) => [key, encodeBase64(value)]));
    yield* createSecret(context, name, "kubernetes.io/dockerconfigjson", data, "secret");
  },
};

/** The content of a ~/.docker/config.json for one registry. */
function dockerConfig(field: (flag: string) => string): string {
  const [username, password, email] = [field("username"), field("password"), field("email")];
  const auth = encodeBase64(`${username}:${password}`);
  return JSON.stringify({ auths: { [field("server")]: { username, password, ...(email === "" ? {} : { email }), auth } } });
}

function dockerFiles(context: Context): ReturnType<typeof keySources> {
  const files = context.flags.list("from-file").map((source) => (source.includes("=") ? source : `.dockerconfigjson=${source}`));
  return keySources(context, wording, files);
}

export const createSecretTls: Command = {
  path: "create secret tls",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const [cert, key] = [flags.text("cert"), flags.text("key")];
    if (key === "" || cert === "") throw new KubectlError("key and cert must be specified");
    const certificate = textOf(context, cert);
    const privateKey = textOf(context, key);
    const fault = keyPairFault(certificate, privateKey);
    if (fault !== undefined) throw new KubectlError(fault);
    const data = { "tls.crt": encodeBase64(certificate), "tls.key": encodeBase64(privateKey) };
    yield* createSecret(context, name, "kubernetes.io/tls", data, "secret");
  },
};

function textOf(context: Context, file: string): string {
  try {
    return context.self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`Cannot read file ${file}, open ${file}: ${asciiLowerCase(error.message)}`);
  }
}
