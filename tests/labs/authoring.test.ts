// The authoring kit: templates that hold what is asked of every lab and lesson, and a report that says what does not.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AuthoringError, newLab, newLesson } from "../../src/authoring/new-files.ts";
import { headProblems } from "../../src/course/frontmatter.ts";
import { languageFiles, languageProblems, readLanguageRules } from "../../src/course/language/check-language.ts";
import { labFromSources } from "../../src/lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { lessonBlocks } from "../lessons/blocks.ts";
import { playLesson } from "../lessons/play.ts";
import { reportLab } from "./report.ts";

const root = mkdtempSync(join(tmpdir(), "authoring-"));
const rules = readLanguageRules();
const locales = ["fr", "zh", "ja", "es"] as const;

beforeAll(() => {
  mkdirSync(join(root, "content"));
  mkdirSync(join(root, "labs"));
  cpSync("content/curriculum.yaml", join(root, "content", "curriculum.yaml"));
});
afterAll(() => rmSync(root, { recursive: true }));

const report = (change: (path: string, text: string) => string = (_path, text) => text) => {
  const lines: string[] = [];
  const sources = Object.entries(readLabSources(root)).map(([path, text]) => [path, change(path, text)]);
  const good = reportLab(Object.fromEntries(sources), "shop-front", (line) => lines.push(line));
  return { good, lines };
};

describe("a new lab", () => {
  it("has its files in four languages, and is proved as it is", () => {
    expect(newLab(root, "shop-front")).toEqual(
      ["es.yaml", "fr.yaml", "ja.yaml", "lab.yaml", "zh.yaml"].map((file) => join("labs", "shop-front", file)),
    );
    const { good, lines } = report();
    expect(lines.filter((line) => line.startsWith("✗"))).toEqual([]);
    expect(good).toBe(true);
    expect(lines).toContain("✓ wrong: one-replica");
    expect(lines).toContain("    ja  `web`にはReady状態のPodが2つ必要です。今は1です。");
  });

  it("is told where it is not as it says", () => {
    const weaker = report((path, text) => (path.endsWith("lab.yaml") ? text.replace("orValue(0) == 4", "orValue(0) >= 2") : text));
    expect(weaker.good).toBe(false);
    expect(weaker.lines).toContain("✗ solution: kubectl expose deployment web --port=80");
    expect(weaker.lines).toContain("    the checks hold, but the step did not pass in its turn");
    expect(weaker.lines).toContain("    holds, and must not: ready");
    const untried = report((path, text) =>
      path.endsWith("lab.yaml") ? text.replace("fails: [image]", "fails: [image, complete]") : text,
    );
    expect(untried.good).toBe(false);
    expect(untried.lines).toContain("    no wrong attempt fails this check alone: image");
    const recalled = report((path, text) =>
      path.endsWith("lab.yaml") ? text.replace(/commands: (?=kubectl create deployment web)/, "commands: echo later!now; ") : text,
    );
    expect(recalled.good).toBe(false);
    expect(recalled.lines.join("\n")).toContain("bash takes a part of it for an event of its history: echo later!now; kubectl");
  });

  it("is not written over another one, nor under a name that is none", () => {
    expect(() => newLab(root, "shop-front")).toThrow(new AuthoringError("labs/shop-front is there already"));
    expect(() => newLab(root, "Shop")).toThrow('"Shop" must be lower-case words joined by hyphens');
  });
});

describe("a new lesson", () => {
  it("has its place in the curriculum, a head, the same blocks in four languages, and runs in a new lab as it is", () => {
    const paths = newLesson(root, "orientation/cluster-components");
    expect(paths).toHaveLength(4);
    const sources = paths.map((path) => readFileSync(join(root, path), "utf8"));
    expect(sources[0]).toContain('title: "Composants d’un cluster"\n');
    expect(sources[0]).toContain("« Façons de faire tourner un plan de contrôle »".replace(/(?<=«) | (?=»)/g, "\u202f"));
    expect(sources.flatMap((source) => headProblems("lesson.mdx", source))).toEqual([]);
    const blocks = sources.map((source) => lessonBlocks(source).map(({ kind, text }) => ({ kind, text })));
    expect(blocks[0]?.map(({ kind }) => kind)).toEqual(["run", "output"]);
    for (const other of blocks) expect(other).toEqual(blocks[0]);
    const lab = labFromSources(readLabSources(root), "shop-front");
    expect(playLesson({ path: paths[0] ?? "", blocks: lessonBlocks(sources[0] ?? "") }, lab)).toEqual([]);
  });

  it.each([
    ["nowhere/cluster-components", /^the curriculum has no part "nowhere"; it has orientation, /],
    ["orientation/nothing", /^part orientation has no lesson "nothing"; it has what-is-kubernetes, /],
    ["orientation/cluster-components", /is there already$/],
  ])("is refused for %s", (place, message) => {
    expect(() => newLesson(root, place)).toThrow(message);
  });
});

it.each(locales)("templates are written as the course is in %s", (locale) => {
  const files = languageFiles(root).filter((file) => file.locale === locale && !file.path.startsWith("src/"));
  expect(files.length).toBeGreaterThanOrEqual(2);
  expect(files.flatMap((file) => languageProblems(file, rules[locale], root))).toEqual([]);
});
