// kubectl config: reading and changing kubeconfig files.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { printHelp } from "../cli/print-help.ts";
import { logConfiguration } from "../client/request-log.ts";
import { documentOf, type Entry, type KubeConfig, type Section, withResolvedPaths, writtenPath } from "../config/kubeconfig.ts";
import { defaultFile, writeCurrentContext, writeEntry } from "../config/writing.ts";
import type { Command, Context } from "../context.ts";
import { type JsonObject, objectAt, textAt, valueAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { namedPrinter } from "../printers/object-printer.ts";
import { TabWriter } from "../printers/tab-writer.ts";

const quote = JSON.stringify;

/** Wrong arguments: the help, then the error. */
function* unexpectedArgs(context: Context): Sys<never> {
  yield* printHelp(context.self, context.command, 1);
  throw new KubectlError(`Unexpected args: [${context.args.join(" ")}]`);
}

function names(entries: ReadonlyMap<string, Entry>): readonly string[] {
  return [...entries.keys()].sort();
}

function mapEntries(config: KubeConfig, section: Section, change: (body: JsonObject) => JsonObject): ReadonlyMap<string, Entry> {
  return new Map([...config[section]].map(([name, entry]) => [name, { ...entry, body: change(entry.body) }]));
}

/** Hides secrets, as `config view` without --raw does. */
function redacted(config: KubeConfig): KubeConfig {
  const hide = (fields: { readonly [field: string]: string }) => (body: JsonObject) => {
    let result = body;
    for (const [field, text] of Object.entries(fields)) if ((result[field] ?? "") !== "") result = withValue(result, [field], text);
    return result;
  };
  const omitted = "DATA+OMITTED";
  return {
    ...config,
    clusters: mapEntries(config, "clusters", hide({ "certificate-authority-data": omitted })),
    users: mapEntries(
      config,
      "users",
      hide({ "client-certificate-data": omitted, "client-key-data": omitted, token: "REDACTED", password: "REDACTED" }),
    ),
  };
}

/** Puts the content of files that the configuration names into it. */
function flattened(context: Context, config: KubeConfig): KubeConfig {
  const embed =
    (...fields: readonly string[]) =>
    (entry: Entry): Entry => {
      let result = withResolvedPaths(context.self, entry);
      for (const field of fields) {
        const path = textAt(result, field);
        if (path === "") continue;
        let data: string;
        try {
          data = encodeBase64(context.self.readFile(path));
        } catch (error) {
          if (error instanceof SysError) throw new KubectlError(`open ${path}: ${asciiLowerCase(error.message)}`);
          throw error;
        }
        result = withValue(withValue(result, [field], undefined), [`${field}-data`], data);
      }
      return { ...entry, body: result };
    };
  const mapped = (section: Section, change: (entry: Entry) => Entry) =>
    new Map([...config[section]].map(([name, entry]) => [name, change(entry)]));
  const users = mapped("users", embed("client-certificate", "client-key"));
  return { ...config, users, clusters: mapped("clusters", embed("certificate-authority")) };
}

function minified(config: KubeConfig, current: string): KubeConfig {
  if (current === "") throw new KubectlError("current-context must exist in order to minify");
  const context = config.contexts.get(current);
  if (context === undefined) throw new KubectlError(`cannot locate context ${current}`);
  const only = (section: Section, name: string) => new Map([...config[section]].filter(([key]) => key === name));
  return {
    ...config,
    currentContext: current,
    contexts: only("contexts", current),
    clusters: only("clusters", textAt(context.body, "cluster")),
    users: only("users", textAt(context.body, "user")),
  };
}

const configView: Command = {
  path: "config view",
  *run(context) {
    const { flags } = context;
    if (context.args.length > 0) throw context.usageError(`unexpected arguments: [${context.args.join(" ")}]`);
    // A file that is named alone is not merged with others anyway.
    if (!flags.bool("merge") && flags.text("kubeconfig") === "")
      throw new KubectlError("if merge==false a precise file must be specified");
    let config = context.kubeConfig();
    for (const file of config.files.filter((one) => context.self.exists(one)))
      yield* logConfiguration(context.self, context.verbosity, file);
    if (flags.bool("minify")) config = minified(config, flags.text("context") || config.currentContext);
    // What is flattened is to be used elsewhere: nothing is hidden in it.
    if (flags.bool("flatten")) config = flattened(context, config);
    else if (!flags.bool("raw")) config = redacted(config);
    const document = documentOf(config);
    if (flags.text("output") === "json") {
      const { kind, apiVersion, clusters, users, contexts } = document;
      const ordered = { kind, apiVersion, clusters, users, contexts, "current-context": config.currentContext };
      return yield* context.out(`${JSON.stringify(ordered, undefined, 4)}\n`);
    }
    const printer = namedPrinter(context);
    if (printer !== undefined) yield* context.out(printer(document));
  },
};

const currentContext: Command = {
  path: "config current-context",
  *run(context) {
    const { currentContext: name } = context.kubeConfig();
    if (name === "") throw new KubectlError("current-context is not set");
    yield* context.out(`${name}\n`);
  },
};

const getContexts: Command = {
  path: "config get-contexts",
  *run(context) {
    const { flags, args } = context;
    const output = flags.text("output");
    if (output !== "" && output !== "name")
      throw new KubectlError(
        `--output ${output} is not available in kubectl config get-contexts; resetting to default output format`,
      );
    const config = context.kubeConfig();
    const writer = new TabWriter();
    if (!flags.bool("no-headers") && output !== "name") writer.row(["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"]);
    const problems: Error[] = [];
    for (const name of args.length > 0 ? [...args].sort() : names(config.contexts)) {
      const entry = config.contexts.get(name);
      if (entry === undefined) {
        problems.push(new KubectlError(`context ${name} not found`));
        continue;
      }
      if (output === "name") writer.row([name]);
      else {
        const mark = name === config.currentContext ? "*" : "";
        writer.row([mark, name, textAt(entry.body, "cluster"), textAt(entry.body, "user"), textAt(entry.body, "namespace")]);
      }
    }
    yield* context.out(writer.flush());
    throwAll(problems);
  },
};

function listCommand(path: string, section: Section): Command {
  return {
    path,
    *run(context) {
      yield* context.out(
        `NAME\n${names(context.kubeConfig()[section])
          .map((name) => `${name}\n`)
          .join("")}`,
      );
    },
  };
}

const useContext: Command = {
  path: "config use-context",
  *run(context) {
    const [name] = context.args;
    if (name === undefined || context.args.length > 1) return yield* unexpectedArgs(context);
    if (name === "") throw new KubectlError("empty context names are not allowed");
    const config = context.kubeConfig();
    if (!config.contexts.has(name)) throw new KubectlError(`no context exists with the name: ${quote(name)}`);
    writeCurrentContext(context.self, config, name);
    yield* context.out(`Switched to context ${quote(name)}.\n`);
  },
};

const renameContext: Command = {
  path: "config rename-context",
  *run(context) {
    const [from, to] = context.args;
    if (from === undefined || to === undefined || context.args.length > 2) return yield* unexpectedArgs(context);
    if (to === "") throw new KubectlError("You must specify a new non-empty context name");
    const config = context.kubeConfig();
    const file = defaultFile(context.self, config);
    const entry = config.contexts.get(from);
    if (entry === undefined) throw new KubectlError(`cannot rename the context ${quote(from)}, it's not in ${file}`);
    if (config.contexts.has(to)) {
      throw new KubectlError(`cannot rename the context ${quote(from)}, the context ${quote(to)} already exists in ${file}`);
    }
    writeEntry(context.self, config, "contexts", from, undefined);
    writeEntry(context.self, config, "contexts", to, entry.body);
    if (config.currentContext === from) writeCurrentContext(context.self, config, to);
    yield* context.out(`Context ${quote(from)} renamed to ${quote(to)}.\n`);
  },
};

function deleteEntryCommand(path: string, section: Section, word: string): Command {
  return {
    path,
    *run(context) {
      const [name] = context.args;
      if (name === undefined || context.args.length > 1) {
        if (section === "users") throw context.usageError("user to delete is required");
        yield* printHelp(context.self, context.command, 1);
        return;
      }
      const config = context.kubeConfig();
      const file = defaultFile(context.self, config);
      if (!config[section].has(name)) throw new KubectlError(`cannot delete ${word} ${name}, not in ${file}`);
      if (section === "contexts" && config.currentContext === name) {
        yield* context.err(
          'warning: this removed your active context, use "kubectl config use-context" to select a different one\n',
        );
      }
      writeEntry(context.self, config, section, name, undefined);
      yield* context.out(`deleted ${word} ${name} from ${file}\n`);
    },
  };
}

/** Sets fields whose flags were given; an empty value removes the field. */
function withFlags(context: Context, body: JsonObject, fields: readonly string[]): JsonObject {
  let result = body;
  for (const field of fields) {
    if (!context.flags.changed(field)) continue;
    const info = context.flags.find(field);
    const value = context.flags.text(field);
    const isBool = info?.type === "bool" || info?.type === "tristate";
    const isEmpty = isBool ? value !== "true" : value === "";
    const kept: JsonValue = isBool ? true : value;
    result = withValue(result, [field], isEmpty ? undefined : kept);
  }
  return result;
}

const setContext: Command = {
  path: "config set-context",
  *run(context) {
    const { flags, args } = context;
    const config = context.kubeConfig();
    if (args.length > 1) return yield* unexpectedArgs(context);
    if (args.length === 0 && !flags.bool("current"))
      throw new KubectlError("you must specify a non-empty context name or --current");
    if (args.length > 0 && flags.bool("current")) throw new KubectlError("you cannot specify both a context name and --current");
    const name = args[0] ?? config.currentContext;
    if (name === "") throw new KubectlError("no current context is set");
    const entry = config.contexts.get(name);
    writeEntry(context.self, config, "contexts", name, withFlags(context, entry?.body ?? {}, ["cluster", "user", "namespace"]));
    yield* context.out(`Context ${quote(name)} ${entry === undefined ? "created" : "modified"}.\n`);
  },
};

/** Replaces a path field by the file's content, or makes the two exclude each other. */
function withFile(
  context: Context,
  body: JsonObject,
  field: string,
  { embed, file }: { readonly embed: boolean; readonly file: string },
): JsonObject {
  if (!context.flags.changed(field)) return body;
  const path = context.flags.text(field);
  if (path === "") return withValue(withValue(body, [field], undefined), [`${field}-data`], undefined);
  if (!embed)
    return withValue(
      withValue(body, [`${field}-data`], undefined),
      [field],
      writtenPath(context.self, file, path.startsWith("/") ? path : `${context.self.cwd}/${path}`),
    );
  try {
    return withValue(withValue(body, [field], undefined), [`${field}-data`], encodeBase64(context.self.readFile(path)));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`could not stat ${field} file ${path}: stat ${path}: ${asciiLowerCase(error.message)}`);
  }
}

const setCluster: Command = {
  path: "config set-cluster",
  *run(context) {
    const { flags, args } = context;
    const [name] = args;
    if (name === undefined || args.length > 1) return yield* unexpectedArgs(context);
    if (flags.bool("insecure-skip-tls-verify") && flags.text("certificate-authority") !== "") {
      throw new KubectlError("you cannot specify a certificate authority and insecure mode at the same time");
    }
    const embed = flags.bool("embed-certs");
    if (embed && flags.text("certificate-authority") === "") {
      throw new KubectlError("you must specify a --certificate-authority to embed");
    }
    const config = context.kubeConfig();
    let body = config.clusters.get(name)?.body ?? {};
    body = withFlags(context, body, ["server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url"]);
    // Every change of a cluster that does not say otherwise ends insecure mode, as upstream's flag counts as given.
    if (!flags.bool("insecure-skip-tls-verify")) body = withValue(body, ["insecure-skip-tls-verify"], undefined);
    else {
      body = withValue(withValue(body, ["certificate-authority"], undefined), ["certificate-authority-data"], undefined);
    }
    const file = config.clusters.get(name)?.origin ?? defaultFile(context.self, config);
    body = withFile(context, body, "certificate-authority", { embed, file });
    if (flags.text("certificate-authority") !== "") body = withValue(body, ["insecure-skip-tls-verify"], undefined);
    writeEntry(context.self, config, "clusters", name, body);
    yield* context.out(`Cluster ${quote(name)} set.\n`);
  },
};

/** --exec-…: a program that hands out credentials. Kept in the file; this kubectl does not run it. */
function withExec({ flags }: Context, body: JsonObject): JsonObject {
  const names = ["exec-command", "exec-api-version", "exec-arg", "exec-env", "exec-interactive-mode", "exec-provide-cluster-info"];
  if (!names.some((name) => flags.changed(name))) return body;
  const env = flags.list("exec-env").map((pair): JsonObject => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return { name, value };
  });
  const mode = flags.text("exec-interactive-mode");
  const exec: JsonObject = {
    apiVersion: flags.text("exec-api-version"),
    args: flags.list("exec-arg").length === 0 ? null : flags.list("exec-arg"),
    command: flags.text("exec-command"),
    env: env.length === 0 ? null : env,
    ...(mode === "" ? {} : { interactiveMode: mode }),
    provideClusterInfo: flags.bool("exec-provide-cluster-info"),
  };
  return withValue(body, ["exec"], exec);
}

/** --auth-provider and its arguments. Kept in the file, like --exec-…; `KEY-` removes one. */
function withAuthProvider({ flags }: Context, body: JsonObject): JsonObject {
  const pairs = flags.list("auth-provider-arg");
  const isRemoval = (pair: string) => !/^[^=]+=/.test(pair) && /.-$/.test(pair);
  const wrong = pairs.filter((pair) => !/^[^=]+=/.test(pair) && !isRemoval(pair));
  if (wrong.length > 0) throw new KubectlError(`invalid auth-provider-arg format: ${wrong.join(", ")}`);
  const present = objectAt(body, "auth-provider");
  const name = flags.changed("auth-provider") ? flags.text("auth-provider") : textAt(present, "name");
  if (valueAt(body, "auth-provider") === undefined && !flags.changed("auth-provider")) return body;
  const kept = name === textAt(present, "name") ? objectAt(present, "config") : {};
  const removed = pairs.filter(isRemoval).map((pair) => pair.slice(0, -1));
  const added = pairs.filter((pair) => !isRemoval(pair)).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const old = Object.entries(kept).filter(([key]) => !removed.includes(key));
  const config: JsonObject = { ...Object.fromEntries(old), ...Object.fromEntries(added) };
  return withValue(body, ["auth-provider"], { config, name });
}

const setCredentials: Command = {
  path: "config set-credentials",
  *run(context) {
    const { flags, args } = context;
    const [name] = args;
    if (name === undefined || args.length > 1) throw new KubectlError(`unexpected args: [${args.join(" ")}]`);
    const embed = flags.bool("embed-certs");
    const methods = [
      ...(flags.text("token") === "" ? [] : ["--token"]),
      ...(flags.text("username") === "" && flags.text("password") === "" ? [] : ["--username/--password"]),
    ];
    if (methods.length > 1) {
      throw new KubectlError(`you cannot specify more than one authentication method at the same time: ${methods.join(", ")}`);
    }
    if (embed && flags.text("client-certificate") === "" && flags.text("client-key") === "") {
      throw new KubectlError("you must specify a --client-certificate or --client-key to embed");
    }
    const config = context.kubeConfig();
    let body = withFlags(context, config.users.get(name)?.body ?? {}, ["token", "username", "password"]);
    // A token and a password exclude each other: the one set last stays.
    if (flags.text("token") !== "") body = withValue(withValue(body, ["username"], undefined), ["password"], undefined);
    else if (flags.text("username") !== "" || flags.text("password") !== "") body = withValue(body, ["token"], undefined);
    const file = config.users.get(name)?.origin ?? defaultFile(context.self, config);
    for (const field of ["client-certificate", "client-key"]) body = withFile(context, body, field, { embed, file });
    body = withExec(context, withAuthProvider(context, body));
    writeEntry(context.self, config, "users", name, body);
    yield* context.out(`User ${quote(name)} set.\n`);
  },
};

const fieldNames: { readonly [section in Section]: readonly string[] } = {
  clusters: [
    "server",
    "tls-server-name",
    "insecure-skip-tls-verify",
    "certificate-authority",
    "certificate-authority-data",
    "proxy-url",
    "disable-compression",
  ],
  contexts: ["cluster", "user", "namespace"],
  users: [
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
    "token",
    "tokenFile",
    "as",
    "as-uid",
    "username",
    "password",
  ],
};

interface Property {
  readonly section: Section;
  readonly name: string;
  /** "" is the whole entry. */
  readonly field: string;
}

/** `contexts.my.name.namespace`: the name may hold dots. */
function propertyOf(text: string): Property | "current-context" {
  if (text === "current-context") return text;
  const [section = "", ...rest] = text.split(".");
  if (section !== "clusters" && section !== "contexts" && section !== "users") {
    throw new KubectlError(`unable to parse ${text} after [] at api.Config`);
  }
  const last = rest.at(-1) ?? "";
  const isField = rest.length > 1 && fieldNames[section].includes(last);
  return { section, name: (isField ? rest.slice(0, -1) : rest).join("."), field: isField ? last : "" };
}

const setProperty: Command = {
  path: "config set",
  *run(context) {
    const { flags, args } = context;
    const [text, value] = args;
    if (text === undefined || value === undefined || args.length > 2) return yield* unexpectedArgs(context);
    if (value === "") throw new KubectlError("you cannot use set to unset a property");
    const property = propertyOf(text);
    const config = context.kubeConfig();
    if (property === "current-context") writeCurrentContext(context.self, config, value);
    else {
      if (property.field === "") throw new KubectlError(`can't set a map to a value: ${text}`);
      const isBool = property.field === "insecure-skip-tls-verify" || property.field === "disable-compression";
      const isData = property.field.endsWith("-data") && flags.bool("set-raw-bytes");
      let kept: JsonValue = isData ? encodeBase64(value) : value;
      if (isBool) kept = value === "true";
      const body = config[property.section].get(property.name)?.body ?? {};
      writeEntry(context.self, config, property.section, property.name, withValue(body, [property.field], kept));
    }
    yield* context.out(`Property ${quote(text)} set.\n`);
  },
};

const unsetProperty: Command = {
  path: "config unset",
  *run(context) {
    const [text] = context.args;
    if (text === undefined || context.args.length > 1) return yield* unexpectedArgs(context);
    const property = propertyOf(text);
    const config = context.kubeConfig();
    if (property === "current-context") writeCurrentContext(context.self, config, "");
    else {
      const targets = property.name === "" ? names(config[property.section]) : [property.name];
      for (const name of targets) {
        const body = config[property.section].get(name)?.body;
        if (body === undefined && property.field === "") continue; // What is not there need not be taken away.
        if (body === undefined) throw new KubectlError(`current map key \`${name}\` is invalid`);
        const rest = property.field === "" ? undefined : withValue(body, [property.field], undefined);
        writeEntry(context.self, config, property.section, name, rest);
      }
    }
    yield* context.out(`Property ${quote(text)} unset.\n`);
  },
};

export const configCommands: readonly Command[] = [
  configView,
  currentContext,
  getContexts,
  listCommand("config get-clusters", "clusters"),
  listCommand("config get-users", "users"),
  useContext,
  renameContext,
  deleteEntryCommand("config delete-context", "contexts", "context"),
  deleteEntryCommand("config delete-cluster", "clusters", "cluster"),
  deleteEntryCommand("config delete-user", "users", "user"),
  setContext,
  setCluster,
  setCredentials,
  setProperty,
  unsetProperty,
];
