// What the kubeconfig, the flags and (inside a Pod) the mounted service account come to: which server, who, which namespace.

import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Flags } from "../cli/flags.ts";
import { type JsonObject, textAt, valueAt } from "../documents.ts";
import { ConfigurationError, ExitError, KubectlError } from "../errors.ts";
import { type KubeConfig, withResolvedPaths } from "./kubeconfig.ts";
import { credentialProblems } from "./problems.ts";
import { type ProxyAddress, proxyAddress } from "./proxy-url.ts";

export interface Credentials {
  /** PEM text of the client certificate, "" without. */
  readonly clientCertificate: string;
  /** PEM text of its key. */
  readonly clientKey: string;
  readonly token: string;
  readonly username: string;
  readonly password: string;
  /** Somebody else would give them: exec or an auth-provider, neither of which is run here. */
  readonly byPlugin: boolean;
}

export interface ServerSettings {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly pathPrefix: string;
  readonly serverName: string;
  /** PEM text; "" when none is configured. */
  readonly authority: string;
  readonly insecure: boolean;
  /** Requests go through it. */
  readonly proxy: ProxyAddress | undefined;
  readonly credentials: Credentials;
  readonly impersonate: {
    readonly user: string;
    readonly groups: readonly string[];
    readonly uid: string;
    readonly extra: readonly string[];
  };
  readonly timeoutMs: number;
}

export interface EffectiveNamespace {
  readonly name: string;
  /** Given by --namespace. */
  readonly explicit: boolean;
}

const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

function fileText(self: Process, path: string): string | undefined {
  try {
    return self.readText(path);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

function runsInPod(self: Process): boolean {
  return self.env.has("KUBERNETES_SERVICE_HOST") && fileText(self, `${serviceAccountFolder}/token`) !== undefined;
}

/** `owner` is the name of the cluster or user that a complaint tells. */
function embedded(self: Process, body: JsonObject, field: string, owner: string): string {
  const data = textAt(body, `${field}-data`);
  if (data !== "") return decodeUtf8(decodeBase64(data.replace(/\s/g, "")).bytes);
  const path = textAt(body, field);
  if (path === "") return "";
  const text = fileText(self, path);
  if (text === undefined)
    throw new KubectlError(`unable to read ${field} ${path} for ${owner} due to open ${path}: no such file or directory`);
  return text;
}

export class EffectiveConfig {
  readonly #self: Process;
  readonly #flags: Flags;
  readonly #config: KubeConfig;

  constructor(self: Process, flags: Flags, config: KubeConfig) {
    this.#self = self;
    this.#flags = flags;
    this.#config = config;
  }

  #context(): JsonObject {
    const named = this.#flags.text("context");
    const name = named === "" ? this.#config.currentContext : named;
    const entry = this.#config.contexts.get(name);
    if (entry === undefined && name !== "") {
      throw new ExitError(1, `Error in configuration: context was not found for specified context: ${name}`);
    }
    return entry?.body ?? {};
  }

  #inPod(): boolean {
    const nothing = this.#config.contexts.size === 0 && this.#config.clusters.size === 0 && this.#flags.text("server") === "";
    return nothing && runsInPod(this.#self);
  }

  namespace(): EffectiveNamespace {
    const given = this.#flags.text("namespace");
    if (given !== "") return { name: given, explicit: true };
    if (this.#inPod()) {
      const mounted = fileText(this.#self, `${serviceAccountFolder}/namespace`)?.trim();
      if (mounted !== undefined && mounted !== "") return { name: mounted, explicit: false };
    }
    const fromContext = textAt(this.#context(), "namespace");
    return { name: fromContext === "" ? "default" : fromContext, explicit: false };
  }

  #cluster(): JsonObject {
    const named = this.#flags.text("cluster");
    if (named !== "") {
      const entry = this.#config.clusters.get(named);
      if (entry === undefined) throw new KubectlError(`no server found for cluster ${JSON.stringify(named)}`);
      return withResolvedPaths(this.#self, entry);
    }
    const entry = this.#config.clusters.get(textAt(this.#context(), "cluster"));
    return entry === undefined ? {} : withResolvedPaths(this.#self, entry);
  }

  #userName(): string {
    // Some commands have a --user of their own, for the people that a binding names.
    const named = this.#flags.find("user")?.type === "string" ? this.#flags.text("user") : "";
    return named === "" ? textAt(this.#context(), "user") : named;
  }

  /** The user's entry with the flags' credentials over it. Throws ConfigurationError when they contradict each other. */
  #user(): JsonObject {
    const name = this.#userName();
    const entry = this.#config.users.get(name);
    if (entry === undefined && name !== textAt(this.#context(), "user"))
      throw new KubectlError(`auth info ${JSON.stringify(name)} does not exist`);
    let user = entry === undefined ? {} : withResolvedPaths(this.#self, entry);
    for (const field of ["client-certificate", "client-key", "token", "username", "password"]) {
      const given = this.#flags.text(field);
      if (given !== "") user = { ...user, [field]: given };
    }
    const problems = [...credentialProblems(this.#self, name, user), ...this.#impersonationProblems(name, user)];
    if (problems.length > 0) throw new ConfigurationError(problems);
    return user;
  }

  #impersonationProblems(name: string, user: JsonObject): readonly string[] {
    const flags = this.#flags;
    if ((flags.text("as") || textAt(user, "as")) !== "") return [];
    const isAsked = flags.list("as-group").length > 0 || flags.text("as-uid") !== "" || flags.list("as-user-extra").length > 0;
    return isAsked ? [`requesting uid, groups or user-extra for ${name} without impersonating a user`] : [];
  }

  /** Throws KubectlError when the configuration contradicts itself. */
  server(): ServerSettings {
    const inPod = this.#inPod();
    const cluster = inPod ? this.#podCluster() : this.#cluster();
    const user = inPod ? { tokenFile: `${serviceAccountFolder}/token` } : this.#user();
    const flags = this.#flags;
    const address = flags.text("server") || textAt(cluster, "server") || "http://localhost:8080";
    const parsed = /^(?:(https?):\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?(\/.*)?$/.exec(address);
    if (parsed === null) throw new KubectlError(`parse ${JSON.stringify(address)}: invalid URL`);
    const scheme = parsed[1] === "https" ? "https" : "http";
    const host = (parsed[2] as string).replace(/^\[|\]$/g, "");
    const authorityPath = flags.text("certificate-authority");
    return {
      scheme,
      host,
      port: Number(parsed[3] ?? (scheme === "https" ? 443 : 80)),
      pathPrefix: (parsed[4] ?? "").replace(/\/+$/, ""),
      serverName: flags.text("tls-server-name") || textAt(cluster, "tls-server-name") || host,
      authority: embedded(
        this.#self,
        authorityPath === "" ? cluster : { "certificate-authority": authorityPath },
        "certificate-authority",
        flags.text("cluster") || textAt(this.#context(), "cluster"),
      ),
      insecure: flags.bool("insecure-skip-tls-verify") || valueAt(cluster, "insecure-skip-tls-verify") === true,
      proxy: proxyAddress(textAt(cluster, "proxy-url"), flags.text("cluster") || textAt(this.#context(), "cluster")),
      credentials: this.#credentials(user),
      impersonate: {
        user: flags.text("as") || textAt(user, "as"),
        groups: flags.list("as-group"),
        uid: flags.text("as-uid"),
        extra: flags.list("as-user-extra"),
      },
      timeoutMs: this.#timeoutMs(),
    };
  }

  #podCluster(): JsonObject {
    const { env } = this.#self;
    return {
      server: `https://${env.get("KUBERNETES_SERVICE_HOST") ?? ""}:${env.get("KUBERNETES_SERVICE_PORT") ?? "443"}`,
      "certificate-authority": `${serviceAccountFolder}/ca.crt`,
    };
  }

  #timeoutMs(): number {
    const text = this.#flags.text("request-timeout");
    if (/^\d+$/.test(text)) return Number(text) * 1000;
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
    if (parts.map((part) => part[0]).join("") !== text) {
      throw new KubectlError(
        `Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)`,
      );
    }
    const unitMs: { readonly [unit: string]: number } = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
    return parts.reduce((sum, part) => sum + Number(part[1]) * (unitMs[part[2] as string] as number), 0);
  }

  #credentials(user: JsonObject): Credentials {
    const tokenFile = textAt(user, "tokenFile");
    const fromFile = tokenFile === "" ? undefined : fileText(this.#self, tokenFile)?.trim();
    return {
      clientCertificate: embedded(this.#self, user, "client-certificate", this.#userName()),
      clientKey: embedded(this.#self, user, "client-key", this.#userName()),
      token: this.#flags.text("token") || (fromFile ?? textAt(user, "token")),
      username: textAt(user, "username"),
      password: textAt(user, "password"),
      byPlugin: valueAt(user, "exec") !== undefined || valueAt(user, "auth-provider") !== undefined,
    };
  }
}
