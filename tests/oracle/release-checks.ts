// What is held against the release's own Go types and documents: facts, objects in JSON and protobuf, discovery and OpenAPI.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "#cluster/api/wire.ts";
import { writeOpenApiV2 } from "#server/protobuf/openapi-v2.ts";
import { buildFactsProgram, changedFacts, hasGo, releaseFolder } from "./facts-program.ts";
import { checkRandomObjects } from "./random-objects.ts";
import { checkDocuments, ourDocuments } from "./release-documents.ts";

/** False where something differs, which it prints. Without Go nothing is checked. */
export function checkRelease(): boolean {
  if (!hasGo()) {
    console.log("oracle: no Go here: facts, objects and documents were not compared with the release's");
    return true;
  }
  const program = buildFactsProgram();
  const release = releaseFolder();
  const documents = ourDocuments();
  return [
    sameFacts(program, release),
    checkRandomObjects(program),
    checkDocuments(documents, release),
    sameInProtobuf(program, documents.openApi),
  ].every(Boolean);
}

function sameFacts(program: string, release: string): boolean {
  const changes = changedFacts(program, release);
  if (changes.length > 0) {
    console.log(`oracle: src/upstream is not what tests/oracle/facts writes:\n${changes.join("\n")}`);
    console.log(`oracle: to write it again: cd tests/oracle/facts && go run . write ${release} ../../../src/upstream`);
  }
  return changes.length === 0;
}

/** The OpenAPI document in protobuf is what Go makes of it in JSON. */
function sameInProtobuf(program: string, document: JsonObject): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-openapi-"));
  try {
    const [json, protobuf] = [join(folder, "json"), join(folder, "protobuf")];
    writeFileSync(json, JSON.stringify(document));
    writeFileSync(protobuf, writeOpenApiV2(document));
    const { status, stderr } = spawnSync(program, ["document", json, protobuf], { encoding: "utf8" });
    if (status !== 0) console.log(`oracle: OpenAPI of version 2 in protobuf: ${stderr.trim()}`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
