import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lessonQuestions } from "./questions.ts";

describe("the questions of a lesson", () => {
  it("carry their answers, which is right, and why", () => {
    const source = `<Quiz>
<Question>Who makes \`web-1\`?</Question>
<Answer why="It only asks.">\`kubectl\`</Answer>
<Answer correct why="It counts.">The ReplicaSet</Answer>
</Quiz>`;
    expect(lessonQuestions(source, "x.mdx")).toEqual([
      {
        question: "Who makes <code>web-1</code>?",
        answers: [
          { text: "<code>kubectl</code>", right: false, why: "It only asks." },
          { text: "The ReplicaSet", right: true, why: "It counts." },
        ],
      },
    ]);
  });

  it("are refused with markup that review would not show", () => {
    expect(() => lessonQuestions("<Quiz>\n<Question>**Who**?</Question>\n</Quiz>", "x.mdx")).toThrow(
      "x.mdx: a question holds text",
    );
  });

  it("are found in every written lesson: as many as its page shows, each with a right answer and a reason for all", () => {
    for (const path of globSync("content/lessons/*/*/*.mdx")) {
      const source = readFileSync(path, "utf8");
      const questions = lessonQuestions(source, path);
      expect([path, questions.length]).toEqual([path, source.match(/<Quiz>/g)?.length ?? 0]);
      expect([path, questions.flatMap(({ answers }) => answers).length]).toEqual([path, source.match(/<Answer/g)?.length ?? 0]);
      for (const { question, answers } of questions) {
        expect(question).not.toBe("");
        expect(answers.filter(({ right }) => right).length).toBeGreaterThan(0);
        for (const { text, why } of answers) expect([text, why].includes("")).toBe(false);
      }
    }
  });
});
