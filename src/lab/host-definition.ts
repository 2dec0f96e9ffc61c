// The machines outside a lab's cluster, as its author writes them.

import { taggedName } from "#cluster/images/registry.ts";
import { fields, listOf, lowerCaseWords, mapOf, meaning, optional, required, text, textLike } from "#reading/shapes.ts";
import type { Field } from "#reading/yaml-fields.ts";
import type { HostWish } from "#world/cluster-shape.ts";

const octet = "(?:[1-9]?\\d|1\\d\\d|2[0-4]\\d|25[0-5])";
/** 203.0.113.0/24 is a cloud's, other private ranges are the cluster's. */
const outsideAddress = {
  pattern: new RegExp(`^(?:192\\.0\\.2|198\\.51\\.100|192\\.168\\.${octet})\\.${octet}$`),
  expected: "an address of 192.0.2.0/24, 198.51.100.0/24 or 192.168.0.0/16",
};
const outsideName = textLike({ pattern: /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, expected: "a name with a dot, in lower case" });

const host = fields<HostWish>({
  name: required(textLike(lowerCaseWords), "What it is called among its own."),
  address: required(textLike(outsideAddress), `Where Pods reach it: ${outsideAddress.expected}.`),
  names: optional(listOf(outsideName), "By which DNS outside the cluster knows it; none unless stated.", undefined),
  image: required(text, "The image whose program it runs, a public one or one of the lab's registries."),
  command: optional(listOf(text), "What it runs instead of the image's own program, as in a container.", undefined),
  files: optional(
    mapOf(text, { pattern: /^\/[^/].*[^/]$/, expected: "an absolute path" }),
    "Files over those of the image: absolute path to text.",
    undefined,
  ),
});

export const hosts = meaning(listOf(host), (wishes, field) => {
  for (const key of ["name", "address"] as const) {
    const all = wishes.map((wish) => wish[key]);
    const twice = all.find((each, index) => all.indexOf(each) !== index);
    if (twice !== undefined) return field.fail(`has two hosts with the ${key} "${twice}"`);
  }
  return wishes;
});

/** `known`: full names of the images that there are. */
export function checkHosts(wishes: readonly HostWish[], known: ReadonlySet<string>, field: Field): void {
  for (const [index, { image }] of wishes.entries()) {
    if (known.has(taggedName(image) ?? "")) continue;
    field.list()[index]?.at("image").fail(`names the image "${image}", which is in no registry`);
  }
}
