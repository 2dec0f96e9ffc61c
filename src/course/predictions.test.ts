import { describe, expect, it } from "vitest";
import { markAwaitedOutputs } from "./predictions.ts";

const predict = '<div class="predict">?</div>';
const run = '<figure class="block run" data-block="run">kubectl get pods</figure>';
const output = '<figure class="block output" data-block="output"><figcaption>Output</figcaption>No resources found</figure>';
const note = "<p>Predict first</p>";
const awaits = (html: string): number => markAwaitedOutputs(html, note).match(/data-awaits/g)?.length ?? 0;

describe("the output below a prediction", () => {
  it("waits, and is named by its prediction and its command", () => {
    expect(markAwaitedOutputs(predict + run + output, note)).toBe(
      '<div data-prediction="1" class="predict">?</div>' +
        '<figure class="block run" data-reveals="1" data-block="run">kubectl get pods</figure>' +
        '<figure class="block output" data-awaits="1" data-block="output"><figcaption>Output</figcaption><p>Predict first</p>No resources found</figure>',
    );
  });

  it("waits behind words and further commands too", () => {
    const marked = markAwaitedOutputs(`${predict}<p>First</p>${run}<p>then</p>${run}${output}`, note);
    expect(marked.match(/data-reveals="1"/g)).toHaveLength(2);
    expect(marked).toContain('data-awaits="1"');
  });

  it("is the first one only, and none behind a heading or without a command", () => {
    expect(awaits(predict + run + output + run + output)).toBe(1);
    expect(awaits(`${predict}${run}<h2 id="x">Next</h2>${run}${output}`)).toBe(0);
    expect(awaits(predict + output)).toBe(0);
    expect(awaits(run + output)).toBe(0);
  });

  it("has a number of its own for each prediction", () => {
    const marked = markAwaitedOutputs(predict + run + output + predict + run + output, note);
    expect([...marked.matchAll(/data-awaits="(\d)"/g)].map(([, number]) => number)).toEqual(["1", "2"]);
  });
});
