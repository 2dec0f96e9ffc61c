import { describe, expect, it } from "vitest";
import { lessonProblems } from "./check-lessons.ts";
import { readCurriculum } from "./curriculum.ts";
import { headProblems } from "./frontmatter.ts";

const good = "---\ntitle: Créer un Deployment\nsummary: Trois Pods.\nlab: deployment-create\nminutes: 15\n---\n\nText\n";

describe("the head of a lesson", () => {
  it("is accepted with title, summary, lab and minutes", () => {
    expect(headProblems(good)).toEqual([]);
  });

  it("may leave out the lab", () => {
    expect(headProblems(good.replace("lab: deployment-create\n", ""))).toEqual([]);
  });

  it.each([
    ["minutes: 15", "minutes: soon", 5, '"minutes" is a whole number from 1 to 90'],
    [
      "lab: deployment-create",
      "lab: Deployment Create",
      4,
      '"lab" is the name of a folder in labs/ (lower case letters, digits and hyphens)',
    ],
    ["summary: Trois Pods.", "sumary: Trois Pods.", 3, '"sumary" is not a field of a lesson; known: title, summary, lab, minutes'],
    ["title: Créer un Deployment", "title:", 2, '"title" is a text of 1 to 80 characters'],
  ])("with %s written as %s names the line and what is expected", (before, after, line, message) => {
    expect(headProblems(good.replace(before, after))[0]).toEqual({ line, message });
  });

  it("names each missing field", () => {
    expect(headProblems("---\ntitle: A\n---\n")).toEqual([
      { line: 1, message: '"summary" is missing: a text of 1 to 240 characters' },
      { line: 1, message: '"minutes" is missing: a whole number from 1 to 90' },
    ]);
  });

  it("must be there", () => {
    expect(headProblems("Text\n")).toEqual([{ line: 1, message: 'the file begins with a head between two lines "---"' }]);
  });

  it("that is not YAML is refused with its line", () => {
    expect(headProblems("---\ntitle: A\nsummary: [\n---\n")[0]?.line).toBeGreaterThanOrEqual(3);
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
