import { describe, expect, it } from "vitest";
import { KeyringError } from "./keyring.ts";
import { credentialsFor, keyringOf } from "./keyring-code.ts";

function userNames(keys: readonly string[], image: string): readonly string[] {
  const auths = Object.fromEntries(keys.map((key) => [key, { username: key, password: "secret" }]));
  return credentialsFor(keyringOf(JSON.stringify({ auths }), "config.json"), image).map(({ username }) => username);
}

describe("keys of a docker configuration", () => {
  it.each<readonly [string, string, string, boolean]>([
    ["[POD-045] a star is one label", "*.kubernetes.io", "abc.kubernetes.io/i", true],
    ["[POD-045] and not none", "*.kubernetes.io", "kubernetes.io/i", false],
    ["[POD-045] or two", "*.kubernetes.io", "a.b.kubernetes.io/i", false],
    ["[POD-046] two stars", "*.*.kubernetes.io", "abc.def.kubernetes.io/i", true],
    ["[POD-046] two stars, one label", "*.*.kubernetes.io", "abc.kubernetes.io/i", false],
    ["[POD-047] a star in the middle", "prefix.*.io", "prefix.kubernetes.io/i", true],
    ["[POD-047] a part of a label", "*-good.kubernetes.io", "prefix-good.kubernetes.io/i", true],
    ["[POD-048] the path itself", "my-registry.io/images", "my-registry.io/images", true],
    ["[POD-048] below the path", "my-registry.io/images", "my-registry.io/images/my-image", true],
    ["[POD-048] beside the path", "my-registry.io/images", "my-registry.io/other/my-image", false],
    ["[POD-049] a star and a path", "*.my-registry.io/images", "sub.my-registry.io/images/my-image", true],
    ["[POD-049] deeper hosts", "*.my-registry.io/images", "a.sub.my-registry.io/images/my-image", false],
    ["[POD-049] still deeper ones", "*.my-registry.io/images", "a.b.sub.my-registry.io/images/my-image", false],
    ["[POD-051] the same port", "my-registry.io:5000", "my-registry.io:5000/i", true],
    ["[POD-051] another port", "my-registry.io:5000", "my-registry.io:5001/i", false],
    ["[POD-051] no port", "my-registry.io:5000", "my-registry.io/i", false],
    ["[POD-051] a star for a port is none", "my-registry.io:*", "my-registry.io:5000/i", false],
    ["[POD-051] nor in the path", "my-registry.io/*", "my-registry.io/i", false],
  ])("%s", (_title, key, image, fits) => {
    expect(userNames([key], image)).toEqual(fits ? [key] : []);
  });

  it("[POD-044] [POD-050] all that fit are tried, the longer path first", () => {
    const keys = ["my-registry.io/images", "my-registry.io/images/subpath"];
    expect(userNames(keys, "my-registry.io/images/subpath/my-image")).toEqual([keys[1], keys[0]]);
  });

  it("[POD-053] helpers and stores are ignored", () => {
    const config = { credHelpers: { "my-registry.io": "x" }, credsStore: "y", auths: {} };
    expect(keyringOf(JSON.stringify(config), "config.json")).toEqual([]);
  });

  it.each<readonly [string, string, string, boolean]>([
    ["a scheme", "https://my-registry.io", "my-registry.io/i", true],
    ["the old address of the API", "https://my-registry.io/v1/", "my-registry.io/i", true],
    ["and the newer one, with a path", "my-registry.io/v2/team", "my-registry.io/team/i", true],
    ["no slash behind the version: a path", "my-registry.io/v1", "my-registry.io/i", false],
    ["Docker Hub by its index", "https://index.docker.io/v1/", "docker.io/library/nginx", true],
    ["Docker Hub by its name", "docker.io", "docker.io/library/nginx", true],
    ["[POD-045] a question mark is one character", "registry-?.io", "registry-a.io/i", true],
    ["[POD-045] a set of characters", "registry-[ab].io", "registry-c.io/i", false],
    ["[POD-048] the beginning of a name will do", "my-registry.io/im", "my-registry.io/images", true],
  ])("%s", (_title, key, image, fits) => {
    expect(userNames([key], image)).toEqual(fits ? [key] : []);
  });

  it.each([
    ["[]", "json: cannot unmarshal array into Go value of type credentialprovider.DockerConfigJSON"],
    [
      '{"auths":[]}',
      "json: cannot unmarshal array into Go struct field DockerConfigJSON.auths of type credentialprovider.DockerConfig",
    ],
    ['{"auths":{"a.io":{"auth":"bGFi"}}}', "unable to parse auth field, must be formatted as base64(username:password)"],
    ['{"auths":{"a.io":{"auth":"lab:lab"}}}', "illegal base64 data at input byte 3"],
    [
      '{"auths":{"a.io":{"password":5}}}',
      "json: cannot unmarshal number into Go struct field dockerConfigEntryWithAuth.password of type string",
    ],
    ["{", "error occurred while trying to unmarshal json"],
  ])("%s: %s", (text, message) => {
    expect(() => keyringOf(text, "config.json")).toThrow(new KeyringError(message));
  });
});
