// What a command works with: its flags and arguments, its streams, and (made when first asked for) the kubeconfig, the client and
// the list of resource types.

import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Flags, ParsedLine } from "./cli/flags.ts";
import { Discovery } from "./client/discovery.ts";
import { cacheFolder, DiscoveryCache } from "./client/discovery-cache.ts";
import { RequestLog } from "./client/request-log.ts";
import { RestClient } from "./client/rest-client.ts";
import { EffectiveConfig, type EffectiveNamespace } from "./config/effective.ts";
import { type KubeConfig, loadKubeConfig } from "./config/kubeconfig.ts";
import { type KubectlError, usageError } from "./errors.ts";
import type { CommandInfo } from "./help/catalog-reader.ts";

export class Context {
  readonly self: Process;
  readonly command: CommandInfo;
  readonly flags: Flags;
  readonly args: readonly string[];
  /** How many arguments stood before `--`; undefined without `--`. */
  readonly argsBeforeDash: number | undefined;
  #kubeConfig: KubeConfig | undefined;
  #effective: EffectiveConfig | undefined;
  #client: RestClient | undefined;
  #discovery: Discovery | undefined;

  constructor(self: Process, command: CommandInfo, line: ParsedLine) {
    this.self = self;
    this.command = command;
    this.flags = line.flags;
    this.args = line.args;
    this.argsBeforeDash = line.argsBeforeDash;
  }

  *out(text: string | Bytes): Sys<void> {
    if (text.length > 0) yield* this.self.write(1, text);
  }

  *err(text: string): Sys<void> {
    if (text !== "") yield* this.self.write(2, text);
  }

  /** All of standard input. */
  *readStdin(): Sys<string> {
    const parts: Bytes[] = [];
    for (;;) {
      const part = yield* this.self.read(0);
      if (part.length === 0) return decodeUtf8(concatBytes(parts));
      parts.push(part);
    }
  }

  /** How much is logged. */
  get verbosity(): number {
    return this.flags.number("v");
  }

  kubeConfig(): KubeConfig {
    this.#kubeConfig ??= loadKubeConfig(this.self, this.flags, this.command.path.startsWith("config "));
    return this.#kubeConfig;
  }

  effective(): EffectiveConfig {
    this.#effective ??= new EffectiveConfig(this.self, this.flags, this.kubeConfig());
    return this.#effective;
  }

  /** Distinct warnings that the server sent so far. */
  get warningsSeen(): number {
    return this.#client?.warnings ?? 0;
  }

  namespace(): EffectiveNamespace {
    return this.effective().namespace();
  }

  client(): RestClient {
    if (this.#client === undefined) {
      const files = this.kubeConfig().files.filter((file) => this.self.exists(file));
      const log = new RequestLog(this.self, this.verbosity, files);
      this.#client = new RestClient(this.self, this.effective().server(), log);
    }
    return this.#client;
  }

  discovery(): Discovery {
    if (this.#discovery === undefined) {
      const client = this.client();
      const folder = cacheFolder(this.self, this.flags.changed("cache-dir") ? this.flags.text("cache-dir") : undefined);
      const server = `${client.hostText}${client.server.pathPrefix}`;
      this.#discovery = new Discovery(client, new DiscoveryCache(this.self, folder, server));
    }
    return this.#discovery;
  }

  /** A usage error of this command. */
  usageError(message: string): KubectlError {
    return usageError(this.command.path, message);
  }
}

/** A command: its words after `kubectl`, and what it does. Flags and help come from the catalog. */
export interface Command {
  readonly path: string;
  run(context: Context): Sys<void>;
}
