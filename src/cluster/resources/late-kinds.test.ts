import { describe, expect, it } from "vitest";
import { qualifiedResource } from "#cluster/api/objects.ts";
import { builtInResources } from "./built-in.ts";
import { lateDefinitions } from "./late-kind-code.ts";

const named = (definitions: typeof builtInResources) =>
  new Map(definitions.map((definition) => [`${qualifiedResource(definition)}/${definition.version}`, definition]));

describe("kinds whose code comes late", () => {
  const served = named(builtInResources);

  it.each([...named(lateDefinitions)])("%s is served as it is declared", (name, declared) => {
    const stand = served.get(name);
    // What is absent and what is undefined are the same here.
    expect({ ...stand }).toEqual({ ...declared });
    expect(stand).not.toBe(declared);
  });
});
