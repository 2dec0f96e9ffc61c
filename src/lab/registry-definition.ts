// The registries of a lab, as its author writes them.

import { usualArchitectures } from "#cluster/images/image.ts";
import { publicHosts, type RegistryAccount, taggedName } from "#cluster/images/registry.ts";
import type { ImageShape } from "#cluster/images/shaped-image.ts";
import {
  fields,
  listOf,
  mapOf,
  meaning,
  oneOf,
  optional,
  required,
  type Shape,
  scalarOr,
  text,
  textLike,
} from "#reading/shapes.ts";
import type { RegistryWish } from "#world/cluster-shape.ts";

const hostName = textLike({ pattern: /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/, expected: "a host with its port, if it has one" });
const imagePath = { pattern: /^[a-z0-9][a-z0-9._/-]*:[\w][\w.-]*$/, expected: 'a path with a tag, "team-a/app:v1"' };

interface AccountFields {
  readonly password: string;
  readonly repositories: readonly string[] | undefined;
}

const account = scalarOr(
  text,
  fields<AccountFields>({
    password: required(text, "The password."),
    repositories: optional(listOf(text), "What this user may pull: paths, or their beginnings with * (team-a/*).", undefined),
  }),
);

const users = meaning(mapOf(account), (value): readonly RegistryAccount[] =>
  Object.entries(value).map(([username, each]) =>
    typeof each === "string" ? { username, password: each } : { username, ...each },
  ),
);

interface RegistryFields {
  readonly host: string;
  readonly users: readonly RegistryAccount[] | undefined;
  readonly images: { readonly [name: string]: ImageShape };
}

/** `known`: full names of the images that anyone can pull, of which others are made. */
export function registriesShape(known: ReadonlySet<string>): Shape<readonly RegistryWish[]> {
  const knownImage = meaning(text, (name, field) =>
    known.has(taggedName(name) ?? "") ? name : field.fail(`names the image "${name}", which is in no registry`),
  );
  const image = scalarOr(
    knownImage,
    fields<ImageShape>({
      from: required(knownImage, "A public image, whose programs it has."),
      files: optional(
        mapOf(text, { pattern: /^\/[^/].*[^/]$/, expected: "an absolute path" }),
        "Files in it: absolute path to text.",
        undefined,
      ),
      architectures: optional(listOf(oneOf(usualArchitectures)), "What it is built for; amd64 and arm64 unless stated.", undefined),
    }),
  );
  const registry = fields<RegistryFields>({
    host: required(hostName, "Its name in images' names: registry.lab.example:5000; docker.io for more images there."),
    users: optional(users, "Who may pull: user to password, or to what else is known. Everyone unless stated.", undefined),
    images: required(
      mapOf(
        meaning(image, (value): ImageShape => (typeof value === "string" ? { from: value } : value)),
        imagePath,
      ),
      "Images by path and tag: team-a/app:v1.",
    ),
  });
  return listOf(
    meaning(registry, ({ host, users: accounts, images }, field) => {
      if (accounts !== undefined && publicHosts.some((each) => each.host === host))
        return field.at("users").fail(`must not be there: everyone may pull from ${host}`);
      return { host, accounts, images };
    }),
  );
}
