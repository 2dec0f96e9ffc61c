// openssl: the commands for keys, requests and certificates, as of OpenSSL 3.0. Not here: elliptic curves, pass phrases,
// TLS clients, ciphers, key generation's dots.

import { encodeBase64 } from "#sim/base64.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { DerError } from "#x509/der.ts";
import { readArguments } from "./openssl/arguments.ts";
import { OpensslFailure } from "./openssl/failure.ts";
import { writeOutput } from "./openssl/files.ts";
import { genpkey, genrsa, keyCommand } from "./openssl/keys.ts";
import { req } from "./openssl/req.ts";
import { verify } from "./openssl/verify.ts";
import { x509 } from "./openssl/x509.ts";

type Subcommand = (self: Process, words: readonly string[]) => Sys<number>;

const version = "OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)";

const subcommands: { readonly [name: string]: Subcommand } = {
  genrsa,
  genpkey,
  rsa: keyCommand("rsa"),
  pkey: keyCommand("pkey"),
  req,
  x509,
  verify,
  rand,
  *version(self) {
    yield* self.write(1, `${version}\n`);
    return 0;
  },
};

/** Commands of OpenSSL 3.0 that are not here: who types them has made no mistake. */
const others =
  "asn1parse ca ciphers cmp cms crl crl2pkcs7 dgst dhparam dsa dsaparam ec ecparam enc engine errstr gendsa info kdf list mac nseq ocsp passwd pkcs12 pkcs7 pkcs8 pkeyparam pkeyutl prime rehash rsautl s_client s_server s_time sess_id smime speed spkac srp storeutl ts";

function refusalOf(name: string): string {
  if (!others.split(" ").includes(name)) return `Invalid command '${name}'; type "help" for a list.\n`;
  const instead = name === "s_client" ? "; curl -vk shows a server's certificate" : "";
  return `openssl: ${name} is not simulated; ${Object.keys(subcommands).join(", ")} are${instead}\n`;
}

export const openssl: Program = function* (self) {
  const [name, ...words] = self.argv.slice(1);
  const subcommand = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    yield* self.write(2, name === undefined ? `help: ${Object.keys(subcommands).join(" ")}\n` : refusalOf(name));
    return name === undefined ? 0 : 1;
  }
  try {
    return yield* subcommand(self, words);
  } catch (error) {
    if (error instanceof OpensslFailure) {
      yield* self.write(2, `${error.message}\n`);
      return error.status;
    }
    if (!(error instanceof DerError)) throw error;
    yield* self.write(2, `${name}: the data is damaged: ${error.message}\n`);
    return 1;
  }
};

function* rand(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("rand", words, "hex base64", "out");
  const count = Number(args.operands[0] ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1) throw new OpensslFailure("rand: Use -help for summary.");
  const bytes = Uint8Array.from({ length: count }, () => self.random.below(256));
  const text = args.has("base64") ? encodeBase64(bytes) : [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (args.has("hex") || args.has("base64")) yield* writeOutput(self, args.value("out"), `${text}\n`);
  else yield* self.write(1, bytes);
  return 0;
}
