import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lessonQuestions } from "../../course/review/questions.ts";
import { turnedAnswers } from "./turned-answers.ts";

const label = (text: string, right = false): string =>
  `<label class="quiz-answer"> <input type="radio" data-answer="${right ? "right" : "wrong"}"> <span class="quiz-answer-text">${text}</span> </label>`;

describe("the answers of a question", () => {
  it("keep their question before them, and are all there, once", () => {
    const html = `<div data-question>Who?</div>\n${["one", "two", "three"].map((text) => label(text)).join("\n")}`;
    const turned = ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3"].map((name) => turnedAnswers(html, name));
    expect(new Set(turned).size).toBe(3);
    for (const one of turned) {
      expect(one.startsWith("<div data-question>Who?</div>\n<label")).toBe(true);
      expect([...one.matchAll(/quiz-answer-text">(\w+)/g)].map(([, text]) => text).sort()).toEqual(["one", "three", "two"]);
    }
    expect(turnedAnswers(html, "a/1")).toBe(turned[0]);
  });

  it("stay in the order of their numbers", () => {
    const html = [label("4"), label("<code>10</code>", true), label("14 Pods")].join("\n");
    for (const name of ["a/1", "a/2", "a/3", "a/4"]) expect(turnedAnswers(html, name)).toBe(html);
  });

  it("have the right one in each place about as often, over the course", () => {
    const places = [0, 0, 0];
    for (const path of globSync("content/lessons/fr/*/*.mdx")) {
      for (const [number, { answers }] of lessonQuestions(readFileSync(path, "utf8"), path).entries()) {
        if (answers.length !== 3) continue;
        const name = `${path.replace(/^.*lessons\/fr\/(.*)\.mdx$/, "$1")}/${number + 1}`;
        const html = turnedAnswers(answers.map(({ text, right }) => label(text, right)).join("\n"), name);
        const place = [...html.matchAll(/data-answer="(\w+)"/g)].findIndex(([, said]) => said === "right");
        places[place] = (places[place] ?? 0) + 1;
      }
    }
    const all = places.reduce((sum, count) => sum + count, 0);
    for (const count of places) expect(count / all).toBeGreaterThan(0.28);
  });
});
