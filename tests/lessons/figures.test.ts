// Drawings of lessons: words that lie on a fill of brass are written for it, or on dark paper nobody could read them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join("content", "figures");
const number = String.raw`([\d.]+)`;
const brass = new RegExp(`<rect class="fig-brass" x="${number}" y="${number}" width="${number}" height="${number}"`, "g");
const words = new RegExp(`<text class="([^"]*)" x="${number}" y="${number}"[^>]*>([^<]*)`, "g");

it.each(readdirSync(folder).filter((name) => name.endsWith(".svg")))("words on brass can be read: %s", (name) => {
  const svg = readFileSync(join(folder, name), "utf8");
  const fills = [...svg.matchAll(brass)].map((match) => match.slice(1).map(Number) as [number, number, number, number]);
  const isOnBrass = (x: number, y: number): boolean =>
    fills.some(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
  const wrong = [...svg.matchAll(words)]
    .filter(([, names = "", x, y]) => isOnBrass(Number(x), Number(y)) !== names.split(" ").includes("fig-on-brass"))
    .map(([, , , , text]) => text);
  expect(wrong).toEqual([]);
});
