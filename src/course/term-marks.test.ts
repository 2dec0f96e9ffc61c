import { expect, it } from "vitest";
import { holdMarksToTerms } from "./term-marks.ts";

const term = (word: string): string =>
  `<span class="term"><button type="button" class="term-word">${word}</button><span class="term-card" popover><span class="term-means">Means, it.</span><a class="term-link" href="/zh/glossary/#x">Glossary</a></span></span>`;

it("a word of the glossary keeps the marks that follow it on its line", () => {
  expect(holdMarksToTerms(`<p>${term("Pod")}和${term("节点")}，${term("sélecteur")}\u202f: le</p>`)).toBe(
    `<p>${term("Pod")}和<span class="whole">${term("节点")}，</span><span class="whole">${term("sélecteur")}\u202f:</span> le</p>`,
  );
});

it("a word of the glossary that text follows stands as it was", () => {
  const html = `<p>${term("Pod")}は、${term("nœud")} qui</p>`;
  expect(holdMarksToTerms(html)).toBe(html);
});
