// genrsa, genpkey, rsa, pkey: RSA keys.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { Process, Sys } from "#sim/program.ts";
import { privateKeyPem, publicKeyOf, publicKeyPem, readPublicKeyPem, traditionalKeyPem } from "#x509/keys.ts";
import { bitsOf, generateKey, type RsaPrivateKey } from "#x509/rsa.ts";
import { readArguments } from "./arguments.ts";
import { cannotRead, OpensslFailure, queued } from "./failure.ts";
import { readInput, readKey, writeOutput } from "./files.ts";
import { numberLines } from "./print.ts";

const defaultBits = 2048;
const minimumBits = 512;
/** Larger ones would stop the world for many seconds. */
const maximumBits = 4096;

export function newKey(self: Process, bits: number): RsaPrivateKey {
  if (bits < minimumBits) {
    throw new OpensslFailure(
      `Error setting RSA length\n${queued("1C8000AB:Provider routines:rsa_gen_set_params:key size too small:../providers/implementations/keymgmt/rsa_kmgmt.c:509:")}`,
    );
  }
  if (bits > maximumBits) throw new OpensslFailure(`keys of more than ${maximumBits} bits are not simulated`);
  return generateKey(bits, self.random);
}

export function* genrsa(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("genrsa", words, "traditional verbose quiet f4 F4 3", "out");
  const bits = Number(args.operands[0] ?? defaultBits);
  if (!Number.isInteger(bits)) throw new OpensslFailure(`genrsa: Can't parse "${args.operands[0]}" as a number`);
  const key = newKey(self, bits);
  yield* writeOutput(self, args.value("out"), args.has("traditional") ? traditionalKeyPem(key) : privateKeyPem(key), true);
  return 0;
}

export function* genpkey(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("genpkey", words, "quiet", "out algorithm pkeyopt outform");
  const algorithm = args.value("algorithm") ?? "";
  if (asciiUpperCase(algorithm) !== "RSA")
    throw new OpensslFailure(`genpkey: keys of the algorithm ${algorithm} are not simulated; use RSA`);
  const bits = args.values("pkeyopt").find((option) => option.startsWith("rsa_keygen_bits:"));
  const key = newKey(self, Number(bits?.slice("rsa_keygen_bits:".length) ?? defaultBits));
  yield* writeOutput(self, args.value("out"), privateKeyPem(key), true);
  return 0;
}

/** `rsa` and `pkey` differ in a few words only. */
export function keyCommand(name: "rsa" | "pkey") {
  return function* (self: Process, words: readonly string[]): Sys<number> {
    const args = readArguments(
      name,
      words,
      "noout text check pubout pubin modulus traditional nodes",
      "in out inform outform passin",
    );
    if (args.has("pubin"))
      return yield* publicKey(self, args.value("in"), args.has("noout"), args.value("out"), args.has("modulus"));
    const key = yield* readKey(self, args.value("in"));
    if (args.has("text")) yield* self.write(1, keyText(key));
    if (args.has("modulus")) yield* self.write(1, `Modulus=${asciiUpperCase(key.modulus.toString(16))}\n`);
    if (args.has("check")) yield* self.write(name === "rsa" ? 1 : 2, name === "rsa" ? "RSA key ok\n" : "Key is valid\n");
    if (args.has("noout")) return 0;
    if (name === "rsa") yield* self.write(2, "writing RSA key\n");
    const isPublic = args.has("pubout");
    const pemOf = args.has("traditional") ? traditionalKeyPem : privateKeyPem;
    const text = isPublic ? publicKeyPem(publicKeyOf(key)) : pemOf(key);
    yield* writeOutput(self, args.value("out"), text, !isPublic);
    return 0;
  };
}

function* publicKey(
  self: Process,
  path: string | undefined,
  quiet: boolean,
  out: string | undefined,
  modulus: boolean,
): Sys<number> {
  const text = yield* readInput(self, path);
  const key = readPublicKeyPem(text ?? "");
  if (key === undefined) throw new OpensslFailure(cannotRead("public key", path ?? "<stdin>"));
  if (modulus) yield* self.write(1, `Modulus=${asciiUpperCase((key.rsa?.modulus ?? 0n).toString(16))}\n`);
  if (!quiet) yield* writeOutput(self, out, publicKeyPem(key));
  return 0;
}

function keyText(key: RsaPrivateKey): string {
  const [p, q] = key.primes;
  const part = (name: string, value: bigint): readonly string[] => [`${name}:`, ...numberLines(value, "    ")];
  return [
    `Private-Key: (${bitsOf(key)} bit, 2 primes)`,
    ...part("modulus", key.modulus),
    `publicExponent: ${key.exponent} (0x${key.exponent.toString(16)})`,
    ...part("privateExponent", key.secret),
    ...part("prime1", p),
    ...part("prime2", q),
    "",
  ].join("\n");
}
