// CredentialProviderConfig: which programs give credentials for which images (pkg/credentialprovider/plugin: config.go).

import { parseGoDuration } from "#cluster/api/duration.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { StartRefusal } from "./start-refusal.ts";

export interface CredentialProvider {
  /** Of the program in the plugins' directory. */
  readonly name: string;
  readonly apiVersion: string;
  readonly matchImages: readonly string[];
  readonly defaultCacheMs: number;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

type Json = { readonly [name: string]: JsonValue };

const fields = new Set(["name", "apiVersion", "matchImages", "defaultCacheDuration", "args", "env", "tokenAttributes"]);
const configVersions = ["v1", "v1alpha1", "v1beta1"].map((version) => `kubelet.config.k8s.io/${version}`);
const providerVersions = ["v1", "v1alpha1", "v1beta1"].map((version) => `credentialprovider.kubelet.k8s.io/${version}`);

/** Throws StartRefusal with the words of what registers plugins. */
export function credentialProviders(files: HostFiles, path: string, directory: string): readonly CredentialProvider[] {
  if (directory === "" || !files.exists(directory)) throw refusal(`plugin binary directory ${directory} did not exist`);
  const documents = configFiles(files, path).map((file) => ({ file, providers: decode(file, files.readText(file)) }));
  const names = new Set<string>();
  const providers = documents.flatMap((document) => document.providers);
  for (const { name } of providers) {
    if (names.has(textOf(name))) throw refusal(`duplicate provider name "${textOf(name)}" found in configuration file(s)`);
    names.add(textOf(name));
  }
  const problems = providers.length === 0 ? ["providers: Required value: at least 1 item in plugins is required"] : [];
  for (const provider of providers) problems.push(...problemsOf(provider));
  if (problems.length > 0) {
    const joined = problems.length === 1 ? problems.join() : `[${problems.join(", ")}]`;
    throw refusal(`failed to validate credential provider config: ${joined}`);
  }
  const read = providers.map(providerOf);
  for (const { name } of read) checkProgram(files, `${directory.replace(/\/$/u, "")}/${name}`);
  return read;
}

function refusal(message: string): StartRefusal {
  return new StartRefusal(message, "plugins");
}

function configFiles(files: HostFiles, path: string): readonly string[] {
  if (path === "") throw refusal("credential provider config path is empty");
  if (!files.exists(path)) throw refusal(`unable to access path "${path}": stat ${path}: no such file or directory`);
  if (files.lstat(path).type !== "directory") return [path];
  const names = files.readdir(path).filter((name) => /\.(?:json|yaml|yml)$/u.test(name));
  const found = names
    .map((name) => `${path.replace(/\/$/u, "")}/${name}`)
    .filter((file) => files.lstat(file).type !== "directory")
    .sort();
  if (found.length === 0) throw refusal(`no configuration files found in directory "${path}"`);
  return found;
}

function decode(file: string, text: string): readonly Json[] {
  const fail = (cause: string): never => {
    throw refusal(`error decoding config "${file}": ${cause}`);
  };
  let value: JsonValue;
  let duplicates: readonly string[];
  try {
    ({ value, duplicates } = parseYaml(text));
  } catch (error) {
    if (error instanceof YamlSyntaxError) return fail(error.message);
    throw error;
  }
  if (!isMap(value)) return fail("couldn't get version/kind; json parse error: json: cannot unmarshal into Go value");
  const { kind, apiVersion, providers = [] } = value as Json;
  const [kindText, version] = [textOf(kind), textOf(apiVersion)];
  if (kindText === "") return fail(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  if (kindText !== "CredentialProviderConfig" || !configVersions.includes(version))
    return fail(`no kind "${kindText}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:110"`);
  if (!Array.isArray(providers) || !providers.every(isMap))
    return fail("json: cannot unmarshal into Go struct field CredentialProviderConfig.providers of type []v1.CredentialProvider");
  const unknown = [
    ...duplicates,
    ...Object.keys(value as Json).flatMap((name) =>
      ["kind", "apiVersion", "providers"].includes(name) ? [] : [`unknown field "${name}"`],
    ),
    ...providers.flatMap((provider, index) =>
      Object.keys(provider as Json).flatMap((name) => (fields.has(name) ? [] : [`unknown field "providers[${index}].${name}"`])),
    ),
  ];
  return unknown.length > 0 ? fail(`strict decoding error: ${unknown.join(", ")}`) : (providers as readonly Json[]);
}

function isMap(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function problemsOf({ name, apiVersion, matchImages, defaultCacheDuration }: Json): readonly string[] {
  const problems: string[] = [];
  const wrong = (field: string, value: string, detail: string) =>
    problems.push(`providers.${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`);
  const [own, version] = [textOf(name), textOf(apiVersion)];
  if (own.includes("/")) wrong("name", own, "provider name cannot contain '/'");
  if (own.includes(" ")) wrong("name", own, "provider name cannot contain spaces");
  if (own === "." || own === "..") wrong("name", own, `provider name cannot be '${own}'`);
  if (version === "") problems.push("providers.apiVersion: Required value");
  else if (!providerVersions.includes(version)) {
    const supported = providerVersions.map((each) => JSON.stringify(each)).join(", ");
    problems.push(`providers.apiVersion: Unsupported value: ${JSON.stringify(version)}: supported values: ${supported}`);
  }
  if (listOf(matchImages).length === 0)
    problems.push("providers.matchImages: Required value: at least 1 item in matchImages is required");
  const duration = parseGoDuration(textOf(defaultCacheDuration));
  if (defaultCacheDuration === undefined || defaultCacheDuration === null)
    problems.push("providers.defaultCacheDuration: Required value");
  else if ("error" in duration) problems.push(duration.error);
  else if (duration.ms < 0)
    wrong("defaultCacheDuration", textOf(defaultCacheDuration), "defaultCacheDuration must be greater than or equal to 0");
  return problems;
}

function providerOf(provider: Json): CredentialProvider {
  const { name, apiVersion, matchImages, defaultCacheDuration, args, env, tokenAttributes } = provider;
  if (tokenAttributes !== undefined && tokenAttributes !== null)
    throw refusal(`credential provider ${textOf(name)}: tokenAttributes: not simulated`);
  const duration = parseGoDuration(textOf(defaultCacheDuration));
  const variables = listOf(env).map((each) => [textOf((each as Json)["name"]), textOf((each as Json)["value"])] as const);
  return {
    name: textOf(name),
    apiVersion: textOf(apiVersion),
    matchImages: listOf(matchImages).map(textOf),
    defaultCacheMs: "ms" in duration ? duration.ms : 0,
    args: listOf(args).map(textOf),
    env: new Map(variables),
  };
}

/** The look-up gives no path when it fails: the words name none. */
function checkProgram(files: HostFiles, path: string): void {
  try {
    const { type, permissions } = files.stat(path);
    const isExecutable = type === "file" && (permissions & 0o111) !== 0;
    if (!isExecutable) throw refusal(`error inspecting binary executable : exec: ${JSON.stringify(path)}: permission denied`);
  } catch (error) {
    if (error instanceof SysError) throw refusal("plugin binary executable  did not exist");
    throw error;
  }
}
