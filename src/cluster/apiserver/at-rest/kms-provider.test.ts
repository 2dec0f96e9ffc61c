import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { SocketService } from "#sim/filesystem/inode.ts";
import type { Process } from "#sim/program.ts";
import { Simulation } from "#sim/simulation.ts";
import { hashText } from "./kms-envelope.ts";
import { KmsProvider } from "./kms-provider.ts";
import { type KmsPlugin, KmsRefusal, type KmsSecret } from "./kms-service.ts";

interface Answers {
  version?: string;
  healthz?: string;
  keyId?: string;
  /** Of what it encrypts; the status' if absent. */
  encryptsBy?: string;
  refusal?: string;
}

/** A provider beside a plugin that answers as it is told, and forgets nothing that it has encrypted. */
function provided(answers: Answers) {
  const simulation = new Simulation({ startMs: 1_768_467_600_000, seed: 1 });
  const kept: KmsSecret[] = [];
  const plain: Uint8Array[] = [];
  const plugin: KmsPlugin = {
    status: () => ({ version: answers.version ?? "v2", healthz: answers.healthz ?? "ok", keyId: answers.keyId ?? "one" }),
    encrypt(_uid, plaintext) {
      if (answers.refusal !== undefined) throw new KmsRefusal(answers.refusal);
      const keyId = answers.encryptsBy ?? answers.keyId ?? "one";
      const secret = { ciphertext: encodeUtf8(`seed ${kept.length}`), keyId, annotations: new Map() };
      kept.push(secret);
      plain.push(plaintext);
      return secret;
    },
    decrypt: (_uid, secret) => plain[kept.indexOf(secret)] ?? new Uint8Array(32),
  };
  let service: SocketService = plugin;
  const self = { connectSocket: () => service } as unknown as Process;
  const settings = { name: "vault", socket: "/kms.sock", timeoutMs: 3_000 };
  const provider = new KmsProvider(settings, { self, simulation, random: simulation.random });
  const serve = (other: SocketService): void => {
    service = other;
  };
  return { simulation, provider, kept, serve };
}

const unhealthy = "kmsv2 Provider vault is not healthy, error: ";

describe("a plugin's answers", () => {
  it.each<readonly [Answers, string]>([
    [{ healthz: "no HSM" }, `${unhealthy}got unexpected healthz status: no HSM`],
    [{ version: "v1beta1" }, `${unhealthy}expected KMSv2 API version v2, got v1beta1`],
    [{ keyId: "" }, `${unhealthy}got invalid KMSv2 KeyID hash "": keyID is empty`],
    [
      { healthz: "no HSM", version: "v3" },
      `${unhealthy}[got unexpected healthz status: no HSM, expected KMSv2 API version v2, got v3]`,
    ],
  ])("%j are those of a plugin that is not well", (answers, fault) => {
    expect(provided(answers).provider.check()).toBe(fault);
  });

  it("must name one key, whether they say how it is or encrypt", () => {
    const { provider } = provided({ encryptsBy: "two" });
    expect(provider.check()).toMatch(
      new RegExp(
        `^${unhealthy}failed to rotate DEK uid="[0-9a-f-]{36}", useSeed=true, errState=got unexpected nil transformer, errGen=<nil>, statusKeyIDHash="${hashText("one")}", encryptKeyIDHash="${hashText("two")}", stateKeyIDHash="", expirationTimestamp=0001-01-01T00:00:00Z$`,
      ),
    );
    expect(provider.seal()).toBe("got unexpected nil transformer");
    const refusing = provided({ refusal: "no key" }).provider;
    expect(refusing.check()).toContain(
      "errGen=failed to encrypt DEK, error: rpc error: code = Unknown desc = no key, statusKeyIDHash=",
    );
  });

  it("hold for 20 seconds when all is well, and for 3 when it is not", () => {
    const answers: Answers = {};
    const { provider, simulation } = provided(answers);
    expect(provider.check()).toBeUndefined();
    answers.healthz = "no HSM";
    simulation.advance(19_999);
    expect(provider.check()).toBeUndefined();
    simulation.advance(1);
    expect(provider.check()).toBeDefined();
    answers.healthz = "ok";
    simulation.advance(2_999);
    expect(provider.check()).toBeDefined();
    simulation.advance(1);
    expect(provider.check()).toBeUndefined();
  });

  it("may name another key: what is sealed by the one before is stale, and opened all the same", () => {
    const answers: Answers = {};
    const { provider, simulation, kept } = provided(answers);
    provider.check();
    const before = provider.seal();
    if (typeof before === "string") throw new Error(before);
    expect(provider.isCurrent(before)).toBe(true);
    answers.keyId = "two";
    simulation.advance(20_000);
    provider.check();
    expect(kept.map(({ keyId }) => keyId)).toEqual(["one", "two"]);
    expect(provider.isCurrent(before)).toBe(false);
    expect(provider.openFault(before)).toBeUndefined();
    expect(provider.openFault({ ...before, secret: new Uint8Array(32) })).toEqual({
      text: "cipher: message authentication failed",
    });
  });

  it("do not come from whatever listens", () => {
    const { provider, serve } = provided({});
    serve({});
    expect(provider.check()).toBe(
      "failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = Unimplemented desc = unknown service v2.KeyManagementService",
    );
  });
});
