// Runs credential providers: programs that read a CredentialProviderRequest from their input and print a CredentialProviderResponse
// (pkg/credentialprovider/plugin: plugin.go).

import { parseGoDuration } from "#cluster/api/duration.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError, wordsOf } from "#sim/errors.ts";
import type { ExitStatus, ProcessHandle } from "#sim/kernel.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Machine } from "../../host/machine.ts";
import type { CredentialPlugins } from "../images/credential-plugins.ts";
import type { Keyring } from "../images/keyring.ts";
import { keyCovers, keyringOf } from "../images/keyring-code.ts";
import { klogForm } from "../kubelet-journal-words.ts";
import { call, type Task } from "../task.ts";
import type { CredentialProvider } from "./provider-config.ts";

const timeoutMs = 60_000;
const globalKey = "global";
const environment = new Map([["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]]);
const failed = klogForm("E", "plugin.go:396", "");

export interface ProviderPluginsOptions {
  readonly machine: Machine;
  readonly simulation: Simulation;
  /** Where the programs are. */
  readonly directory: string;
  readonly providers: readonly CredentialProvider[];
}

interface Kept {
  readonly keyring: Keyring;
  readonly untilMs: number;
}

interface Response {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly cacheKeyType?: unknown;
  readonly cacheDuration?: unknown;
  readonly auth?: unknown;
}

/** The end of a run: what it printed, or why it failed. */
type Run = { readonly output: string } | { readonly error: string };

export class ProviderPlugins implements CredentialPlugins {
  readonly #options: ProviderPluginsOptions;
  /** By provider, then by image, registry or for all. */
  readonly #kept = new Map<CredentialProvider, Map<string, Kept>>();
  /** Who waits for a run that is under way, by provider and image. */
  readonly #waiting = new Map<string, ((keyring: Keyring) => void)[]>();

  constructor(options: ProviderPluginsOptions) {
    this.#options = options;
  }

  *keyring(repository: string): Task<Keyring> {
    const all: Keyring[number][] = [];
    for (const provider of this.#options.providers) {
      if (!provider.matchImages.some((pattern) => keyCovers(pattern, repository))) continue;
      const kept = this.#keptFor(provider, repository);
      all.push(...(kept ?? (yield* call<Keyring>((done) => this.#ask(provider, repository, done)))));
    }
    return all;
  }

  #keptFor(provider: CredentialProvider, repository: string): Keyring | undefined {
    const kept = this.#kept.get(provider);
    for (const key of [repository, registryOf(repository), globalKey]) {
      const entry = kept?.get(key);
      if (entry !== undefined && this.#options.simulation.nowMs <= entry.untilMs) return entry.keyring;
    }
    return undefined;
  }

  /** Who asks for an image while somebody else's question is under way shares its answer. */
  #ask(provider: CredentialProvider, repository: string, done: (keyring: Keyring) => void): void {
    const key = `${provider.name} ${repository}`;
    const others = this.#waiting.get(key);
    if (others !== undefined) {
      others.push(done);
      return;
    }
    const waiting = [done];
    this.#waiting.set(key, waiting);
    this.#run(provider, repository, (run) => {
      this.#waiting.delete(key);
      const keyring = this.#take(provider, repository, run);
      for (const each of waiting) each(keyring);
    });
  }

  #run(provider: CredentialProvider, repository: string, done: (run: Run) => void): void {
    const { machine, simulation, directory } = this.#options;
    const path = `${directory.replace(/\/$/u, "")}/${provider.name}`;
    const request = { kind: "CredentialProviderRequest", apiVersion: provider.apiVersion, image: repository };
    const fail = (cause: string, errors: string): void =>
      done({ error: `error execing credential provider plugin ${provider.name} for image ${repository}: ${cause}: ${errors}` });
    let [output, errors] = ["", ""];
    let handle: ProcessHandle;
    try {
      handle = machine.start({
        run: path,
        argv: [path, ...provider.args],
        env: new Map([...environment, ...provider.env]),
        stdin: encodeUtf8(`${JSON.stringify(request)}\n`),
        stdout: (bytes) => {
          output += decodeUtf8(bytes);
        },
        stderr: (bytes) => {
          errors += decodeUtf8(bytes);
        },
      });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      fail(`fork/exec ${path}: ${asciiLowerCase(error.message)}`, errors);
      return;
    }
    const timer = simulation.after(timeoutMs, () => {
      handle.onExit = undefined;
      handle.signal("KILL");
      fail("context deadline exceeded", errors);
    });
    const end = ({ code }: ExitStatus): void => {
      simulation.cancel(timer);
      if (code === 0) done({ output });
      else fail(code > 128 ? "signal: killed" : `exit status ${code}`, errors);
    };
    if (handle.exit === undefined) handle.onExit = end;
    else end(handle.exit);
  }

  /** The credentials of an answer, which are kept as long as it says. */
  #take(provider: CredentialProvider, repository: string, run: Run): Keyring {
    const read = "error" in run ? run : responseOf(provider, run.output);
    if ("error" in read) {
      this.#log(`Failed getting credential from external registry credential provider: ${read.error}`);
      return [];
    }
    const { cacheKeyType, cacheDuration } = read.response;
    const keys = new Map<unknown, string>([
      ["Image", repository],
      ["Registry", registryOf(repository)],
      ["Global", globalKey],
    ]);
    const key = keys.get(cacheKeyType);
    if (key === undefined) {
      this.#log(`credential provider plugin did not return a valid cacheKeyType: "${cacheKeyType ?? ""}"`);
      return [];
    }
    const duration = typeof cacheDuration === "string" ? parseGoDuration(cacheDuration) : { ms: provider.defaultCacheMs };
    const keptMs = "ms" in duration ? duration.ms : 0;
    if (keptMs !== 0) {
      const kept = this.#kept.get(provider) ?? new Map<string, Kept>();
      this.#kept.set(provider, kept);
      kept.set(key, { keyring: read.keyring, untilMs: this.#options.simulation.nowMs + keptMs });
    }
    return read.keyring;
  }

  #log(message: string): void {
    this.#options.machine.journal.write("kubelet", failed, message);
  }
}

function registryOf(repository: string): string {
  return repository.slice(0, repository.indexOf("/"));
}

const undecodable = { error: "error decoding credential provider plugin response from stdout" };

function responseOf(
  { apiVersion }: CredentialProvider,
  output: string,
): { readonly response: Response; readonly keyring: Keyring } | { readonly error: string } {
  let response: Response;
  try {
    response = readJson(output) as Response;
  } catch (error) {
    return { error: `error reading GVK from response: couldn't get version/kind; json parse error: ${wordsOf(error)}` };
  }
  if (typeof response !== "object" || response === null) return undecodable;
  const actual = typeof response.apiVersion === "string" ? response.apiVersion : "";
  if (actual !== apiVersion) {
    const mismatch = "apiVersion from credential plugin response did not match expected apiVersion";
    return { error: `${mismatch}:${apiVersion}, actual apiVersion:${actual}` };
  }
  const { kind, cacheDuration, auth = {} } = response;
  const isDuration =
    cacheDuration === undefined ||
    cacheDuration === null ||
    (typeof cacheDuration === "string" && "ms" in parseGoDuration(cacheDuration));
  if (kind !== "CredentialProviderResponse" || !isDuration) return undecodable;
  try {
    return { response, keyring: keyringOf(JSON.stringify({ auths: auth ?? {} }), "config.json") };
  } catch {
    return undecodable;
  }
}
