// Our control plane in this process, in virtual time: API server, controller manager and scheduler, and no nodes of its own.

import { peerOf } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { ControllerManager } from "#cluster/controllers/controller-manager.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { Random } from "#sim/random.ts";
import { Simulation } from "#sim/simulation.ts";
import { provideTools } from "#world/tools.ts";
import { publicKeyOf } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { generateKey } from "#x509/rsa.ts";
import { type Answer, answerOf, bodyOf, type Call, headersOf, type Side } from "./side.ts";

provideTools();

const administrator = peerOf("kubernetes-admin", ["system:masters"]);

const dayMs = 86_400_000;
/** Signs requests for certificates, as the real side's authority does. */
const signerKey = generateKey(1024, new Random(1));
const certificateSigner = { name: subjectName("kubernetes"), publicKey: publicKeyOf(signerKey), key: signerKey };

const beatMs = 200;
/** Of nobody: nothing here is asked over TLS. */
const rootCa = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n";

export interface OurSideOptions {
  readonly startMs: number;
  /** API server only. */
  readonly withoutLoops?: boolean;
  /** Upstream's unless stated. */
  readonly nodeGraceSeconds?: number;
}

export class OurSide implements Side {
  /** Whoever has something to do as time passes. */
  onBeat: () => Promise<void> = async () => {};
  readonly #simulation: Simulation;
  readonly #server: ApiServer;

  constructor({ startMs, withoutLoops = false, nodeGraceSeconds = 50 }: OurSideOptions) {
    this.#simulation = new Simulation({ startMs, seed: 17 });
    const simulation = this.#simulation;
    this.#server = new ApiServer({ simulation });
    this.#server.start();
    if (withoutLoops) return;
    new ControllerManager({
      simulation,
      clients: this.#server,
      hostname: "control-plane",
      clusterCidr: "10.244.0.0/16",
      rootCa,
      signing: { authority: certificateSigner, authorityNotAfterMs: startMs + 3650 * dayMs, durationMs: 365 * dayMs },
      nodeGraceMs: nodeGraceSeconds * 1000,
    }).start();
    new Scheduler({ simulation, clients: this.#server, hostname: "control-plane" }).start();
    simulation.advance(30_000);
  }

  get nowMs(): number {
    return this.#simulation.nowMs;
  }

  /** A mistake of the simulator is answered 0, which no server answers. */
  async ask(call: Call): Promise<Answer> {
    try {
      return this.#ask(call);
    } catch (error) {
      return { status: 0, warnings: [], body: `a mistake of the simulator: ${String(error)}` };
    }
  }

  #ask(call: Call): Answer {
    let answer: Answer | undefined;
    const { method, path } = call;
    this.#server.handler({ method, target: path, headers: headersOf(call), body: encodeUtf8(bodyOf(call)) }, administrator, {
      reply(status, headers, bytes) {
        answer = answerOf(status, headers["warning"], decodeUtf8(bytes));
      },
      stream() {
        throw new Error(`${method} ${path} streams`);
      },
      upgrade() {
        throw new Error(`${method} ${path} upgrades`);
      },
    });
    if (answer === undefined) this.#simulation.runUntil(() => answer !== undefined, { limitMs: 60_000 });
    if (answer === undefined) throw new Error(`${method} ${path} is not answered`);
    return answer;
  }

  async wait(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs;
    while (this.nowMs < endMs) {
      this.#simulation.run({ untilMs: Math.min(endMs, this.nowMs + beatMs) });
      await this.onBeat();
    }
  }
}
