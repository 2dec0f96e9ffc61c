// A KMS plugin that holds its keys in files, in the place of upstream's mock of an HSM (k8s.io/kms, internal/plugins/_mock), which is built
// for tests and published nowhere. `-key-id` names the key that encrypts, a file of 32 bytes in `-key-directory`; whatever other keys lie there
// decrypt.

import { gcm } from "@noble/ciphers/aes.js";
import { type KmsPlugin, KmsRefusal } from "#cluster/apiserver/at-rest/kms-service.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program } from "#sim/program.ts";
import { awaitSignals } from "../await-signals.ts";
import { writeWithoutWaiting } from "../log-line.ts";

const wrongUse = 2;
const keyBytes = 32;
const nonceBytes = 12;
const annotationKey = "version.encryption.remote.io";

interface Flag {
  readonly usual: string;
  readonly usage: string;
}

const flags: { readonly [name: string]: Flag } = {
  "key-directory": { usual: "/var/lib/kms", usage: "directory with a file of 32 bytes for each key" },
  "key-id": { usual: "kms-test", usage: "key that encrypts" },
  "listen-addr": { usual: "unix:///tmp/kms.socket", usage: "gRPC listen address" },
};

/** What keeps the plugin from its work. */
class Panic extends Error {}

/** As Go's flag package reads them, or what it says of the wrong ones. */
function settingsOf(argv: readonly string[]): ReadonlyMap<string, string> | string {
  const values = new Map(Object.entries(flags).map(([name, { usual }]) => [name, usual]));
  for (let index = 1; index < argv.length; index += 1) {
    const [, name = "", equals, value = ""] = /^--?([^=-][^=]*)(=?)(.*)$/s.exec(argv[index] ?? "") ?? [];
    if (name === "") break;
    if (!values.has(name)) return `flag provided but not defined: -${name}`;
    if (equals === "=") values.set(name, value);
    else {
      index += 1;
      const next = argv[index];
      if (next === undefined) return `flag needs an argument: -${name}`;
      values.set(name, next);
    }
  }
  return values;
}

function usageText(program: string): string {
  const lines = Object.entries(flags).map(
    ([name, { usage, usual }]) => `  -${name} string\n    \t${usage} (default ${JSON.stringify(usual)})\n`,
  );
  return `Usage of ${program}:\n${lines.join("")}`;
}

function socketOf(address: string): string {
  const [, scheme = "", path = ""] = /^(?:([a-z]+):\/\/)?(.*)$/s.exec(address) ?? [];
  if (address === "") throw new Panic("failed to parse endpoint: remote KMS provider can't use empty string as endpoint");
  if (scheme !== "unix")
    throw new Panic(`failed to parse endpoint: unsupported scheme ${JSON.stringify(scheme)} for remote KMS provider`);
  return path;
}

/** Throws KmsRefusal. */
function keyOf(self: Process, directory: string, id: string): Bytes {
  let key: Bytes;
  try {
    if (id === "" || id.includes("/")) throw new KmsRefusal("invalid keyID");
    key = self.readFile(`${directory}/${id}`);
  } catch (error) {
    if (error instanceof SysError) throw new KmsRefusal("key not found");
    throw error;
  }
  if (key.length !== keyBytes) throw new KmsRefusal(`invalid key size ${key.length}`);
  return key;
}

function pluginOf(self: Process, directory: string, keyId: string): KmsPlugin {
  return {
    status: () => ({ version: "v2", healthz: "ok", keyId }),
    encrypt(_uid, plaintext) {
      const nonce = Uint8Array.from({ length: nonceBytes }, () => self.random.below(256));
      const ciphertext = gcm(keyOf(self, directory, keyId), nonce, encodeUtf8(keyId)).encrypt(plaintext);
      return { ciphertext: concatBytes([nonce, ciphertext]), keyId, annotations: new Map([[annotationKey, encodeUtf8("1")]]) };
    },
    decrypt(_uid, { ciphertext, keyId: id, annotations }) {
      const version = annotations.get(annotationKey);
      if (annotations.size !== 1) throw new KmsRefusal("invalid annotations");
      if (version === undefined || decodeUtf8(version) !== "1") throw new KmsRefusal("invalid version in annotations");
      const key = keyOf(self, directory, id);
      if (ciphertext.length < nonceBytes) throw new KmsRefusal("the stored data was shorter than the required size");
      try {
        return gcm(key, ciphertext.subarray(0, nonceBytes), encodeUtf8(id)).decrypt(ciphertext.subarray(nonceBytes));
      } catch {
        throw new KmsRefusal("cipher: message authentication failed");
      }
    },
  };
}

function serve(self: Process, settings: ReadonlyMap<string, string>): { readonly fd: number; readonly socket: string } {
  const setting = (name: string): string => settings.get(name) ?? "";
  const socket = socketOf(setting("listen-addr"));
  const [directory, keyId] = [setting("key-directory"), setting("key-id")];
  try {
    keyOf(self, directory, keyId);
  } catch (error) {
    if (error instanceof KmsRefusal) throw new Panic(`failed to create remote service: ${error.message}`);
    throw error;
  }
  try {
    // One that a plugin before it has left behind.
    if (self.exists(socket) && self.stat(socket).type === "socket") self.unlink(socket);
    return { fd: self.bindSocket(socket, pluginOf(self, directory, keyId)), socket };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new Panic(`failed to serve: listen unix ${socket}: bind: ${asciiLowerCase(error.message)}`);
  }
}

export const mockKmsPlugin: Program = function* (self) {
  self.declareUse({ memoryBytes: 12_582_912 });
  const settings = settingsOf(self.argv);
  if (typeof settings === "string") {
    writeWithoutWaiting(self, 2, `${settings}\n${usageText(self.argv[0] ?? "")}`);
    return wrongUse;
  }
  try {
    const { fd, socket } = serve(self, settings);
    yield* awaitSignals(self, ["TERM", "INT"]);
    self.close(fd);
    self.unlink(socket);
    return 0;
  } catch (error) {
    if (!(error instanceof Panic)) throw error;
    writeWithoutWaiting(self, 2, `panic: ${error.message}\n\ngoroutine 1 [running]:\nmain.main()\n`);
    return wrongUse;
  }
};
