import { gcm } from "@noble/ciphers/aes.js";
import { expand } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { WireReader } from "#cluster/api/protobuf/wire.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { type EnvelopeSeal, envelope, sourceFault } from "./kms-envelope.ts";

const source = { ciphertext: encodeUtf8("sealed seed"), keyId: "one", annotations: new Map([["a.example", encodeUtf8("1")]]) };
const seal: EnvelopeSeal = { cipher: "kms", keyName: "vault", secret: new Uint8Array(32).fill(7), source };
const key = "/registry/secrets/default/mast";
const prefix = "k8s:enc:kms:v2:vault:";

describe("the envelope of a value", () => {
  it("is an EncryptedObject, whose data a key opens that is derived from the seed", () => {
    const bytes = envelope(seal, `${key}@7`, key, encodeUtf8("brume-07"));
    expect(decodeUtf8(bytes.subarray(0, prefix.length))).toBe(prefix);
    const reader = new WireReader(bytes.subarray(prefix.length));
    const fields = new Map<number, Bytes>();
    for (let number = 1; number <= 4; number += 1) {
      expect(reader.tag()).toEqual({ number, wireType: 2 });
      fields.set(number, reader.bytes());
    }
    expect(reader.tag()).toEqual({ number: 5, wireType: 0 });
    expect(reader.unsigned()).toBe(1n);
    expect(reader.atEnd).toBe(true);
    expect(fields.get(2)).toEqual(encodeUtf8("one"));
    expect(fields.get(3)).toEqual(source.ciphertext);
    const annotation = new WireReader(fields.get(4) as Bytes);
    annotation.tag();
    expect(annotation.text()).toBe("a.example");
    annotation.tag();
    expect(annotation.text()).toBe("1");
    const data = fields.get(1) as Bytes;
    const derived = expand(sha256, seal.secret, data.subarray(0, 32), 32);
    const open = gcm(derived, data.subarray(32, 44), encodeUtf8(key));
    expect(decodeUtf8(open.decrypt(data.subarray(44)))).toBe("brume-07");
  });

  it.each([
    [{ ...source, ciphertext: new Uint8Array(0) }, "failed to validate encrypted DEK source: encrypted DEK source is empty"],
    [
      { ...source, ciphertext: new Uint8Array(1025) },
      "failed to validate encrypted DEK source: encrypted DEK source is 1025 bytes, which exceeds the max size of 1024",
    ],
    [{ ...source, keyId: "" }, "failed to validate key id: keyID is empty"],
    [
      { ...source, annotations: new Map([["a.example", new Uint8Array(32_768)]]) },
      "failed to validate annotations: total size of annotations is 32777, which exceeds the max size of 32768",
    ],
    [source, undefined],
  ])("takes from a plugin only what fits into it (%#)", (given, fault) => {
    expect(sourceFault(given)).toBe(fault);
  });
});
