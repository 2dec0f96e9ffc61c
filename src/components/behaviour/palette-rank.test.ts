import { describe, expect, it } from "vitest";
import { rank } from "./palette-rank.ts";

const entry = (title: string, also = "") => ({ title, also });
const found = (entries: readonly { readonly title: string; readonly also: string }[], typed: string) =>
  rank(entries, typed).map(({ title }) => title);

describe("the palette's order", () => {
  it("puts the exact title first, then titles that begin so, then words that do, then parts of words", () => {
    const entries = [entry("Microservice"), entry("Un Service stable"), entry("Services sans sélecteur"), entry("Service")];
    expect(found(entries, "service")).toEqual(["Service", "Services sans sélecteur", "Un Service stable", "Microservice"]);
  });

  it("finds without accents, by several words in any order, and by the English word", () => {
    const entries = [entry("Créer un Deployment"), entry("Nœud", "node"), entry("ノード", "node"), entry("污点", "taint")];
    expect(found(entries, "deployment creer")).toEqual(["Créer un Deployment"]);
    expect(found(entries, "NODE")).toEqual(["ノード", "Nœud"]);
    expect(found(entries, "taint")).toEqual(["污点"]);
    expect(found(entries, "污")).toEqual(["污点"]);
  });

  it("finds nothing where one word is nowhere, and leaves the order where nothing is typed", () => {
    const entries = [entry("b"), entry("a")];
    expect(found(entries, "a zzz")).toEqual([]);
    expect(found(entries, " ")).toEqual(["b", "a"]);
  });

  it("katakana keep their voicing marks", () => {
    expect(found([entry("ポッド"), entry("ホット")], "ポッド")).toEqual(["ポッド"]);
  });
});
