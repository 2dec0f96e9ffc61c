// Every transcript, typed into a terminal of a real world: whole outputs, exit codes included.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { docs } from "#cluster/api/generated/docs.ts";
import { World } from "#world/world.ts";
import { Typist } from "../../typist.ts";
import { normalized, readTranscript, type TranscriptBlock } from "./transcript.test-kit.ts";

const here = import.meta.dirname;

/** The required behaviours that blocks show, by their titles. */
const behaviours: { readonly [title: string]: string } = {
  "lists workloads with their columns": "[WRK-050] [WRK-076]",
  "describes a Deployment": "[WRK-147]",
  "describes a ReplicaSet": "[WRK-052]",
  "undoes to a revision, which gets the next number": "[WRK-115]",
  "shows history": "[WRK-111] [WRK-112] [WRK-113]",
  "warns and refuses when undoing": "[WRK-120] [WRK-121] [WRK-122]",
  "has nothing to undo without history": "[WRK-123]",
  "pauses and resumes": "[WRK-124] [WRK-136] [WRK-137]",
  "scales when the current number is as expected": "[WRK-129]",
  "taints nodes": "[WRK-406]",
  "drains a node of its Pods": "[WRK-404]",
};
const unseen = new Set(Object.keys(behaviours));

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
      unseen.delete(block.title);
      it(`${behaviours[block.title] ?? ""} ${block.title}`.trim(), () => {
        typist ??= bootedTypist();
        expect(played(typist, block)).toBe(written(block));
      });
    }
  });
}

it("names behaviours of blocks that are there", () => {
  expect([...unseen]).toEqual([]);
});
