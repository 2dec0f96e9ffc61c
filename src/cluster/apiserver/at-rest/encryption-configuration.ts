// Reads the file that --encryption-provider-config names, with upstream's refusals (apiserver, pkg/server/options/encryptionconfig and
// pkg/apis/apiserver/validation).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { DecodingError, decode, list, type Struct, struct, text } from "#cluster/api/go-fields.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import { type ParsedYaml, parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { FieldErrors, field, type Path } from "#cluster/resources/field-errors.ts";
import { decodeBase64 } from "#sim/base64.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { type CipherName, cipherNames, ciphers } from "./ciphers.ts";
import type { EncryptionConfiguration, Provider } from "./encryption.ts";
import { type KmsFields, kmsSettings, validateKms } from "./kms-configuration.ts";
import { hashText } from "./kms-envelope.ts";
import type { KmsProvider, KmsSettings } from "./kms-provider.ts";

class ConfigurationFault extends Error {}

const building = "error while building transformers: ";
const version = "apiserver.config.k8s.io/v1";

const keysShape = struct("v1.AESConfiguration", { keys: list(struct("v1.Key", { name: text, secret: text })) });
const configurationShape: Struct = struct("v1.EncryptionConfiguration", {
  kind: text,
  apiVersion: text,
  resources: list(
    struct("v1.ResourceConfiguration", {
      resources: list(text),
      providers: list(
        struct("v1.ProviderConfiguration", {
          aesgcm: keysShape,
          aescbc: keysShape,
          secretbox: keysShape,
          identity: struct("v1.IdentityConfiguration", {}),
          kms: struct("v1.KMSConfiguration", {
            apiVersion: text,
            name: text,
            cachesize: { kind: "int32" },
            endpoint: text,
            timeout: { kind: "duration" },
          }),
        }),
      ),
    }),
  ),
});

interface Keys {
  readonly keys?: readonly { readonly name?: string; readonly secret?: string }[];
}

type ProviderFields = { readonly [cipher in CipherName]?: Keys } & { readonly identity?: object; readonly kms?: KmsFields };

interface ResourceFields {
  readonly resources?: readonly string[];
  readonly providers?: readonly ProviderFields[];
}

export interface ReadOptions {
  /** Whether the file may change while the server runs. */
  readonly reload: boolean;
  /** The provider of a plugin, which has not been asked yet. */
  readonly kmsOf: (settings: KmsSettings) => KmsProvider;
}

/** What the file says, or why the server does not start with it. */
export function readEncryptionConfiguration(
  self: Process,
  path: string,
  options: ReadOptions,
): EncryptionConfiguration | { readonly fault: string } {
  try {
    const text = textOf(self, path);
    return { ...rulesOf(validated(decoded(text, path), options.reload), options), hash: hashText(text) };
  } catch (error) {
    if (error instanceof ConfigurationFault) return { fault: error.message };
    throw error;
  }
}

/** Of the file, or why it cannot be read. */
export function encryptionFileHash(self: Process, path: string): { readonly hash: string } | { readonly fault: string } {
  try {
    return { hash: hashText(contentOf(self, path)) };
  } catch (error) {
    if (error instanceof ConfigurationFault) return { fault: error.message };
    throw error;
  }
}

/** Of a file that is to be loaded. */
function textOf(self: Process, path: string): string {
  try {
    return contentOf(self, path);
  } catch (error) {
    if (error instanceof ConfigurationFault)
      throw new ConfigurationFault(`error while parsing file: error while loading file: ${error.message}`);
    throw error;
  }
}

function contentOf(self: Process, path: string): string {
  let content: string;
  try {
    content = self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const reason = error.code === "ENOENT" ? `open ${path}: no such file or directory` : `read ${path}: is a directory`;
    throw new ConfigurationFault(`error reading encryption provider configuration file ${JSON.stringify(path)}: ${reason}`);
  }
  if (content === "") throw new ConfigurationFault(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
  return content;
}

function decoded(content: string, path: string): readonly ResourceFields[] {
  const wrong = (reason: string) =>
    new ConfigurationFault(
      `error while parsing file: error decoding encryption provider configuration file ${JSON.stringify(path)}: ${reason}`,
    );
  let parsed: ParsedYaml;
  try {
    parsed = parseYaml(content);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw wrong(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
  const document: JsonObject = isObject(parsed.value) ? parsed.value : {};
  const { kind = "", apiVersion = "" } = document;
  if (kind === "") throw wrong(`Object 'Kind' is missing in '${content}'`);
  if (apiVersion === "") throw wrong(`Object 'apiVersion' is missing in '${content}'`);
  if (kind !== "EncryptionConfiguration" || apiVersion !== version)
    throw wrong(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  try {
    const { value, unknown } = decode(configurationShape, document);
    const loose = [...parsed.duplicates.map((each) => `yaml: unmarshal errors:\n  ${each}`), ...unknown];
    if (loose.length > 0) throw wrong(`strict decoding error: ${loose.join(", ")}`);
    return (value as { readonly resources?: readonly ResourceFields[] }).resources ?? [];
  } catch (error) {
    if (error instanceof DecodingError) throw wrong(error.message);
    throw error;
  }
}

function validated(all: readonly ResourceFields[], reload: boolean): readonly ResourceFields[] {
  const errors = new FieldErrors();
  const root = field("resources");
  const kmsNames = new Set<string>();
  if (all.length === 0) errors.required(root, "at least one resources is required");
  for (const [index, { resources = [], providers = [] }] of all.entries()) {
    const [names, path] = [root.index(index).child("resources"), root.index(index).child("providers")];
    if (resources.length === 0) errors.required(names, `at least one ${names} is required`);
    validateOverlaps(resources, names, errors);
    for (const [place, name] of resources.entries()) validateName(name, names.index(place), errors);
    if (providers.length === 0) errors.required(path, `at least one ${path} is required`);
    for (const [place, provider] of providers.entries()) {
      validateProvider(provider, path.index(place), errors);
      if (provider.kms === undefined) continue;
      validateKms(provider.kms, path.index(place).child("kms"), kmsNames, reload, errors);
      kmsNames.add(provider.kms.name ?? "");
    }
  }
  if (!errors.isEmpty)
    throw new ConfigurationFault(
      `error while parsing file: ${aggregateText(errors.causes.map((cause) => `${cause.field}: ${cause.message}`))}`,
    );
  return all;
}

function groupResource(name: string): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf(".");
  return dot < 0 ? { group: "", resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

function validateOverlaps(names: readonly string[], path: Path, errors: FieldErrors): void {
  const parsed = names.map(groupResource);
  const pairs = parsed.flatMap((one, index) => parsed.filter((_, place) => place !== index).map((other) => [one, other] as const));
  const same = pairs.some(([one, other]) => one.group === other.group && one.resource === other.resource);
  const overlaps = pairs.some(
    ([one, other]) =>
      !(one.group === other.group && one.resource === other.resource) &&
      ((one.group === "*" && one.resource === "*") ||
        (one.group === other.group && (one.resource === "*" || other.resource === "*"))),
  );
  if (same) errors.invalid(path, names, "the same resource cannot be specified multiple times");
  if (overlaps)
    errors.invalid(
      path,
      names,
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
    );
}

const withoutApi: readonly string[] = ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

function validateName(name: string, path: Path, errors: FieldErrors): void {
  const { group, resource } = groupResource(name);
  if (/[A-Z]/.test(name)) errors.invalid(path, name, "resource name should not contain capital letters");
  else if (name === "*")
    errors.invalid(path, name, "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources");
  else if (withoutApi.includes(name)) errors.invalid(path, name, "resources which do not have REST API/s cannot be encrypted");
  else if (group === "events.k8s.io")
    errors.invalid(
      path,
      name,
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    );
  else if (group === "extensions")
    errors.invalid(path, name, "'extensions' group has been removed and cannot be used for encryption");
  else if (group === "*" && resource !== "*")
    errors.invalid(path, name, "encrypting the same resource across groups is not supported");
}

function validateProvider(provider: ProviderFields, path: Path, errors: FieldErrors): void {
  const given = Object.keys(provider);
  const of = "KMS, AESGCM, AESCBC, Secretbox, Identity";
  if (given.length === 0) errors.invalid(path, provider, `provider does not contain any of the expected providers: ${of}`);
  else if (given.length > 1)
    errors.invalid(
      path,
      provider,
      "more than one provider specified in a single element, should split into different list elements",
    );
  for (const cipher of cipherNames) {
    const fields = provider[cipher];
    if (fields !== undefined) validateKeys(cipher, fields, path.child(cipher, "keys"), errors);
  }
}

function validateKeys(cipher: CipherName, { keys = [] }: Keys, path: Path, errors: FieldErrors): void {
  const { keyBytes } = ciphers[cipher];
  if (keys.length === 0) errors.required(path, "at least one keys is required");
  for (const [index, { name = "", secret = "" }] of keys.entries()) {
    const at = path.index(index);
    if (name === "") errors.required(at.child("name"), "name is a mandatory field for a key");
    if (secret === "") {
      errors.required(at.child("secret"), "secret is a mandatory field for a key");
      continue;
    }
    const { bytes, valid } = decodeBase64(secret);
    if (!valid) errors.invalid(at.child("secret"), "REDACTED", "secrets must be base64 encoded");
    else if (!keyBytes.includes(bytes.length)) {
      const expected = `[${keyBytes.join(" ")}]`;
      errors.invalid(
        at.child("secret"),
        "REDACTED",
        `secret is not of the expected length, got ${bytes.length}, expected one of ${expected}`,
      );
    }
  }
}

function rulesOf(all: readonly ResourceFields[], options: ReadOptions): Omit<EncryptionConfiguration, "hash"> {
  const rules = new Map<string, Provider[]>();
  const kms: KmsProvider[] = [];
  for (const { resources = [], providers = [] } of all) {
    const made = providers.flatMap((fields) => providersOf(fields, options));
    kms.push(...made.flatMap((provider) => (provider.kind === "kms" ? [provider.kms] : [])));
    for (const name of resources) {
      const { group } = groupResource(name);
      const mask = [`*.${group}`, "*.*"].find((each) => rules.has(each));
      if (mask !== undefined)
        throw new ConfigurationFault(
          `${building}resource ${JSON.stringify(name)} is masked by earlier rule ${JSON.stringify(mask)}`,
        );
      rules.set(name, [...(rules.get(name) ?? []), ...made]);
    }
  }
  return { rules, kms };
}

function providersOf(fields: ProviderFields, { kmsOf }: ReadOptions): readonly Provider[] {
  if (fields.kms !== undefined) {
    const settings = kmsSettings(fields.kms);
    if (typeof settings === "string") throw new ConfigurationFault(building + settings);
    return [{ kind: "kms", kms: kmsOf(settings) }];
  }
  if (fields.identity !== undefined) return [{ kind: "identity" }];
  return cipherNames.flatMap((cipher) =>
    (fields[cipher]?.keys ?? []).map(({ name = "", secret = "" }): Provider => {
      return { kind: "key", seal: { cipher, keyName: name, secret: decodeBase64(secret).bytes } };
    }),
  );
}
