// What Go 1.26's tls.X509KeyPair says of the same pairs.

import { describe, expect, it } from "vitest";
import { keyPairFault } from "./key-pair.ts";
import { pem, pemBlocks } from "./pem.ts";

const certificate = `-----BEGIN CERTIFICATE-----
MIIBBDCBq6ADAgECAgEFMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMTAWEwHhcNMjYx
MTI5MDc1NDM2WhcNMjYxMTI5MDg1NDM2WjAMMQowCAYDVQQDEwFhMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEov7MAeWTHQinGQKHr7XrRTa8NBaaPdW0nCvJY2RD
p47mDKYon2K+QUIoUg/FDmgZIVi5cbXcR8hcx9wVBvgbCjAKBggqhkjOPQQDAgNI
ADBFAiAtr9qZEloZhZeG39A1sYt/+yqGWPjD2KwuGy59UobqBwIhAO1C/Aswjls/
2BNKWZnoxCezrRgpArcZqAwpOnuQ6TeT
-----END CERTIFICATE-----`;
const own = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJ/z6iOEEYqNRyqI1
Mzm9LCNDtHljf1vZZZimjqfOrFWhRANCAASi/swB5ZMdCKcZAoevtetFNrw0Fpo9
1bScK8ljZEOnjuYMpiifYr5BQihSD8UOaBkhWLlxtdxHyFzH3BUG+BsK
-----END PRIVATE KEY-----`;
const other = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMhd2QOxoxtOFbsJD
DyVMncBJp95C+V0focH2aItuoUqhRANCAASWYHFbFb+zC/xqTV14uSCBmnC8IIqD
O8Ubq9ZYZtX3P109nDuEer+7KVYUyclyxN81SAYbNImtz/Zt3NKkQ9p2
-----END PRIVATE KEY-----`;
const ownTraditional = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEICf8+ojhBGKjUcqiNTM5vSwjQ7R5Y39b2WWYpo6nzqxVoAoGCCqGSM49
AwEHoUQDQgAEov7MAeWTHQinGQKHr7XrRTa8NBaaPdW0nCvJY2RDp47mDKYon2K+
QUIoUg/FDmgZIVi5cbXcR8hcx9wVBvgbCg==
-----END EC PRIVATE KEY-----`;
const otherTraditional = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIDIXdkDsaMbThW7CQw8lTJ3ASafeQvldH6HB9miLbqFKoAoGCCqGSM49
AwEHoUQDQgAElmBxWxW/swv8ak1deLkggZpwvCCKgzvFG6vWWGbV9z9dPZw7hHq/
uylWFMnJcsTfNUgGGzSJrc/2bdzSpEPadg==
-----END EC PRIVATE KEY-----`;

const bytesOf = (text: string) => pemBlocks(text)[0]?.bytes as Uint8Array<ArrayBuffer>;

describe("a certificate and a key on a curve", () => {
  it.each([
    ["its own key", own, undefined],
    ["its own key, as SEC 1 has it", ownTraditional, undefined],
    ["its own key under another label", pem("RSA PRIVATE KEY", bytesOf(ownTraditional)), undefined],
    ["another's key", other, "tls: private key does not match public key"],
    ["another's key, as SEC 1 has it", otherTraditional, "tls: private key does not match public key"],
    ["half a key", pem("PRIVATE KEY", bytesOf(own).slice(0, 40)), "tls: failed to parse private key"],
  ])("%s", (_title, key, fault) => {
    expect(keyPairFault(certificate, key)).toBe(fault);
  });
});
