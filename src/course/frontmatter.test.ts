import { describe, expect, it } from "vitest";
import { lessonProblems } from "./check-lessons.ts";
import { readCurriculum } from "./curriculum.ts";
import { headProblems } from "./frontmatter.ts";

const good = "---\ntitle: Créer un Deployment\nsummary: Trois Pods.\nlab: deployment-create\nminutes: 15\n---\n\nText\n";

const problems = (source: string): readonly string[] => headProblems("a.mdx", source);

describe("the head of a lesson", () => {
  it("is accepted with title, summary, lab and minutes", () => {
    expect(problems(good)).toEqual([]);
  });

  it("may leave out the lab", () => {
    expect(problems(good.replace("lab: deployment-create\n", ""))).toEqual([]);
  });

  it.each([
    ["minutes: 15", "minutes: soon", "a.mdx:5: minutes must be a whole number from 1 to 90"],
    ["minutes: 15", "minutes: 91", "a.mdx:5: minutes must be a number from 1 to 90"],
    [
      "lab: deployment-create",
      "lab: Deployment Create",
      'a.mdx:4: lab must be lower-case words joined by hyphens, not "Deployment Create"',
    ],
    [
      "summary: Trois Pods.",
      "summary: Trois Pods.\nsumary: Trois Pods.",
      "a.mdx:4: sumary is not known here; expected title, summary, lab, minutes",
    ],
    ["title: Créer un Deployment", "title:", "a.mdx:2: title must be a text"],
    ["Créer un Deployment", "x".repeat(81), "a.mdx:2: title must be a text of at most 80 characters"],
  ])("with %s written as %s names the line and what is expected", (before, after, message) => {
    expect(problems(good.replace(before, after))).toEqual([message]);
  });

  it("names each missing field", () => {
    expect(problems("---\ntitle: A\n---\n")).toEqual([
      'a.mdx:2: the file needs "summary": summary is missing',
      'a.mdx:2: the file needs "minutes": minutes must be a whole number from 1 to 90',
    ]);
  });

  it("must be there", () => {
    expect(problems("Text\n")).toEqual(['a.mdx:1: the file begins with a head between two lines "---"']);
  });

  it("that is not YAML is refused with its line", () => {
    expect(problems("---\ntitle: A\nsummary: [\n---\n")).toEqual([expect.stringMatching(/^a\.mdx:3: /)]);
  });
});

describe("the checkout", () => {
  it("has a curriculum of 199 lessons in 14 parts, each slug once", () => {
    const lessons = readCurriculum().flatMap((part) => part.lessons.map((lesson) => lesson.slug));
    expect(readCurriculum()).toHaveLength(14);
    expect(lessons).toHaveLength(199);
    expect(new Set(lessons).size).toBe(199);
  });

  it("has no lesson with a wrong head or in a wrong place", () => {
    expect(lessonProblems(readCurriculum())).toEqual([]);
  });
});
