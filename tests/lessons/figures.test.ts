// Drawings of lessons: words that lie on a fill are written for it, or nobody could read them on one of the papers.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join("content", "figures");
const number = String.raw`([\d.]+)`;
const fillNames = ["brass", "pod"] as const;
const words = new RegExp(`<text class="([^"]*)" x="${number}" y="${number}"[^>]*>([^<]*)`, "g");

/** Whether a place lies on a fill of a kind. */
function fillsOf(svg: string, kind: (typeof fillNames)[number]): (x: number, y: number) => boolean {
  const rect = new RegExp(`<rect class="fig-${kind}" x="${number}" y="${number}" width="${number}" height="${number}"`, "g");
  const fills = [...svg.matchAll(rect)].map((match) => match.slice(1).map(Number) as [number, number, number, number]);
  return (x, y) => fills.some(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
}

it.each(readdirSync(folder).filter((name) => name.endsWith(".svg")))("words on brass and on Pods can be read: %s", (name) => {
  const svg = readFileSync(join(folder, name), "utf8");
  for (const kind of fillNames) {
    const isOn = fillsOf(svg, kind);
    const wrong = [...svg.matchAll(words)]
      .filter(([, names = "", x, y]) => isOn(Number(x), Number(y)) !== names.split(" ").includes(`fig-on-${kind}`))
      .map(([, , , , text]) => text);
    expect(wrong, kind).toEqual([]);
  }
});
