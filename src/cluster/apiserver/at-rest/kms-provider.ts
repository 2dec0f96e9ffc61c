// One kms provider of the configuration: it asks its plugin how it is, has it encrypt a seed, and seals by that seed until the plugin
// names another key (apiserver, pkg/server/options/encryptionconfig/config.go).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { formatTime } from "#cluster/api/time.ts";
import { writeWithoutWaiting } from "#cluster/images/log-line.ts";
import type { Bytes } from "#sim/bytes.ts";
import type { Process } from "#sim/program.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { cacheKeyOf, type EnvelopeSeal, hashText, keyIdFault, seedBytes, sourceFault } from "./kms-envelope.ts";
import { callPlugin, KmsFailure, type KmsPlugin, type KmsSecret, type KmsStatus } from "./kms-service.ts";

const positiveIntervalMs = 60_000;
const negativeIntervalMs = 10_000;
const writeMs = 180_000;
const positiveAnswerMs = 20_000;
const negativeAnswerMs = 3_000;
const cachedMs = 86_400_000;

export interface KmsSettings {
  readonly name: string;
  /** The socket's path. */
  readonly socket: string;
  /** How long a call may take. */
  readonly timeoutMs: number;
}

/** Where a server's providers live. */
export interface KmsPlace {
  /** The API server's process: it opens the socket. */
  readonly self: Process;
  readonly simulation: Simulation;
  readonly random: Random;
}

interface State {
  readonly seal: EnvelopeSeal;
  /** Until when values may be written by it; they may always be read. */
  readonly expiresMs: number;
}

interface CachedSeed {
  readonly seed: Bytes;
  readonly untilMs: number;
}

/** Why a value cannot be opened. */
export interface OpenFault {
  readonly text: string;
  /** How long upstream's client waits for a plugin that is away, in ms; absent where it answered. */
  readonly waitMs?: number;
}

const noState = "got unexpected nil transformer";

export class KmsProvider {
  readonly name: string;
  readonly timeoutMs: number;
  readonly #socket: string;
  readonly #place: KmsPlace;
  readonly #seeds = new Map<string, CachedSeed>();
  #state: State | undefined;
  /** The plugin's, from its first status on. */
  #version = "";
  #lastFault: string | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  #answerMs = negativeAnswerMs;
  #timer: Timer | undefined;

  constructor({ name, socket, timeoutMs }: KmsSettings, place: KmsPlace) {
    this.name = name;
    this.timeoutMs = timeoutMs;
    this.#socket = socket;
    this.#place = place;
  }

  /** Asks now, and from then on again and again: soon after a failure. */
  start(): void {
    const { self, simulation } = this.#place;
    if (self.exit !== undefined) return;
    const delayMs = this.check() === undefined ? positiveIntervalMs : negativeIntervalMs;
    this.#timer = simulation.after(delayMs, () => this.start(), { background: true });
  }

  stop(): void {
    this.#place.simulation.cancel(this.#timer);
  }

  /** What is wrong with the plugin, as the health check says it; an answer holds for some seconds. */
  check(): string | undefined {
    const now = this.#nowMs;
    if (now - this.#lastMs < this.#answerMs) return this.#lastFault;
    let status: KmsStatus;
    try {
      status = this.#call((plugin) => plugin.status());
    } catch (error) {
      if (!(error instanceof KmsFailure)) throw error;
      this.#remember(error.message);
      return `failed to perform status section of the healthz check for KMS Provider ${this.name}, error: ${error.message}`;
    }
    const faults = this.#faultsOf(status);
    const fault = faults.length === 0 ? undefined : `kmsv2 Provider ${this.name} is not healthy, error: ${aggregateText(faults)}`;
    this.#remember(fault);
    return fault;
  }

  /** What seals a new value. Returns why nothing does. */
  seal(): EnvelopeSeal | string {
    const state = this.#state;
    if (state === undefined) return noState;
    const now = this.#nowMs;
    if (now > state.expiresMs) {
      const [hash, expired] = [hashText(state.seal.source.keyId), formatTime(state.expiresMs)];
      return `encryptedDEKSource with keyID hash ${JSON.stringify(hash)} expired at ${expired} (current time is ${formatTime(now)})`;
    }
    this.#keep(state.seal.source, state.seal.secret);
    return state.seal;
  }

  /** Whether a value that the provider has sealed would be sealed by the same key again. */
  isCurrent({ source }: EnvelopeSeal): boolean {
    return this.#state?.seal.source.keyId === source.keyId;
  }

  /** Why a value of this provider's cannot be opened. */
  openFault({ secret, source }: EnvelopeSeal): OpenFault | undefined {
    if (this.#state === undefined) return { text: noState };
    const cached = this.#seeds.get(cacheKeyOf(source));
    let seed = cached !== undefined && this.#nowMs < cached.untilMs ? cached.seed : undefined;
    if (seed === undefined) {
      try {
        seed = this.#call((plugin) => plugin.decrypt(this.#place.random.uuid(), source));
      } catch (error) {
        if (!(error instanceof KmsFailure)) throw error;
        const text = `failed to decrypt DEK, error: ${error.message}`;
        return error.isAway ? { text, waitMs: this.timeoutMs } : { text };
      }
      if (seed.length < seedBytes) return { text: `invalid seed length ${seed.length} used for key generation` };
      this.#keep(source, seed);
    }
    const opened = seed;
    const isSame = opened.length === secret.length && secret.every((byte, index) => byte === opened[index]);
    return isSame ? undefined : { text: "cipher: message authentication failed" };
  }

  #faultsOf({ version, healthz, keyId }: KmsStatus): readonly string[] {
    const faults: string[] = [];
    if (healthz !== "ok") faults.push(`got unexpected healthz status: ${healthz}`);
    if (version !== "v2" && version !== "v2beta1") faults.push(`expected KMSv2 API version v2, got ${version}`);
    else {
      if (this.#version === "") this.#version = version;
      const first = `KMSv2 API version should not change after the initial status response version ${this.#version}`;
      if (this.#version !== version) faults.push(`${first}, got ${version}`);
    }
    const keyFault = keyIdFault(keyId);
    if (keyFault !== undefined) faults.push(`got invalid KMSv2 KeyID hash ${JSON.stringify(hashText(keyId))}: ${keyFault}`);
    else {
      const fault = this.#rotate(keyId);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  }

  /** Takes a new seed if the plugin has another key than before; what is wrong with that. */
  #rotate(statusKeyId: string): string | undefined {
    const { random } = this.#place;
    const expiresMs = this.#nowMs + writeMs;
    const state = this.#state;
    if (state?.seal.source.keyId === statusKeyId) {
      this.#state = { ...state, expiresMs };
      return undefined;
    }
    const uid = random.uuid();
    const seed = Uint8Array.from({ length: seedBytes }, () => random.below(256));
    let source: KmsSecret | undefined;
    let failure = "<nil>";
    try {
      source = this.#call((plugin) => plugin.encrypt(uid, seed));
      const fault = sourceFault(source);
      if (fault !== undefined) [source, failure] = [undefined, fault];
    } catch (error) {
      if (!(error instanceof KmsFailure)) throw error;
      failure = `failed to encrypt DEK, error: ${error.message}`;
    }
    if (source?.keyId === statusKeyId) {
      this.#state = { seal: { cipher: "kms", keyName: this.name, secret: seed, source }, expiresMs };
      return undefined;
    }
    const hashes = [statusKeyId, source?.keyId ?? "", state?.seal.source.keyId ?? ""].map((id) => JSON.stringify(hashText(id)));
    const expiration = state === undefined ? "0001-01-01T00:00:00Z" : formatTime(state.expiresMs);
    return `failed to rotate DEK uid="${uid}", useSeed=true, errState=${state === undefined ? noState : "<nil>"}, errGen=${failure}, statusKeyIDHash=${hashes[0]}, encryptKeyIDHash=${hashes[1]}, stateKeyIDHash=${hashes[2]}, expirationTimestamp=${expiration}`;
  }

  #call<Answer>(call: (plugin: KmsPlugin) => Answer): Answer {
    const { self } = this.#place;
    try {
      return callPlugin(self, this.#socket, call);
    } catch (error) {
      if (error instanceof KmsFailure && error.isAway) {
        const words = `"failed to create connection to unix socket" err=${JSON.stringify(error.dialError)}`;
        writeWithoutWaiting(self, 2, klogLine(self, "E", "grpc_service.go:70", `${words} addr=${JSON.stringify(this.#socket)}`));
      }
      throw error;
    }
  }

  #keep(source: KmsSecret, seed: Bytes): void {
    this.#seeds.set(cacheKeyOf(source), { seed, untilMs: this.#nowMs + cachedMs });
  }

  #remember(fault: string | undefined): void {
    this.#lastFault = fault;
    this.#lastMs = this.#nowMs;
    this.#answerMs = fault === undefined ? positiveAnswerMs : negativeAnswerMs;
  }

  get #nowMs(): number {
    return this.#place.simulation.nowMs;
  }
}
