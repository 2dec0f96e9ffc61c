// Every transcript, typed into a terminal of a real world: whole outputs, exit codes included.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { docs } from "#cluster/api/generated/docs.ts";
import { World } from "#world/world.ts";
import { Typist } from "../../typist.ts";
import { normalized, readTranscript, type TranscriptBlock } from "./transcript.test-kit.ts";

const here = import.meta.dirname;

function filesForHome(): { readonly [name: string]: string } {
  const names = readdirSync(`${here}/files`);
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${here}/files/${name}`, "utf8")]));
}

function bootedTypist(): Typist {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 2, files: filesForHome() });
  world.cluster.apiServer.docs = docs;
  world.boot();
  return new Typist(world);
}

function played(typist: Typist, block: TranscriptBlock): string {
  return block.commands
    .map(({ line }) => {
      const { output, code } = typist.run(line);
      return [`$ ${line}`, normalized(output), code === 0 ? "" : `(exit ${code})`].filter((text) => text !== "").join("\n");
    })
    .join("\n");
}

function written(block: TranscriptBlock): string {
  return block.commands.map(({ line, output }) => [`$ ${line}`, output].filter((text) => text !== "").join("\n")).join("\n");
}

for (const name of readdirSync(`${here}/transcripts`)) {
  describe(`kubectl transcript ${name.replace(/\.txt$/, "")}`, () => {
    const blocks = readTranscript(readFileSync(`${here}/transcripts/${name}`, "utf8"));
    let typist: Typist | undefined;
    for (const block of blocks) {
      it(block.title, () => {
        typist ??= bootedTypist();
        expect(played(typist, block)).toBe(written(block));
      });
    }
  });
}
