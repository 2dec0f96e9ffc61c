// Which passwords a teacher may not choose: those that many people have, and those that hold little but words that anybody
// would try here. Nothing is asked of their letters.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Refused } from "../http/refusals.ts";

/** 48 bits: one password in 25 thousand million is taken for a common one by chance. */
const hashLength = 8;
/** What a password must hold besides known words: the least length that ASVS 5 and NIST SP 800-63B take for a password. */
const leastOwn = 8;
/** Of the product and its subject; a teacher's own name comes to them. */
const knownWords = ["pilothouse", "kubernetes", "kubectl", "classroom", "k8s"];

/** As common passwords are kept: some of them hold people's names and addresses, so the list is one of hashes. */
export function passwordHash(password: string): string {
  return createHash("sha256").update(plain(password)).digest("base64url").slice(0, hashLength);
}

/** Capitals do not make a password another one. */
const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

let common: ReadonlySet<string> | undefined;

function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(join(import.meta.dirname, "common-passwords.txt"), "utf8").split("\n"));
  return common.has(passwordHash(password));
}

/** A refusal when a teacher of that name may not have this password. */
export function refuseEasyPassword(password: string, name: string): void {
  if (isCommon(password)) throw new Refused("common-password");
  const parts = plain(name).split(/[\s\p{P}]+/u);
  const words = [plain(name), plain(name).replace(/\s/gu, ""), ...parts, ...knownWords].filter((word) => [...word].length > 1);
  let rest = plain(password);
  for (const word of words.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, "");
  if ([...rest.trim()].length < leastOwn) throw new Refused("guessable-password");
}
