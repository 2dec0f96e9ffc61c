import { describe, expect, it } from "vitest";
import {
  configMapKeyReasons,
  dns1035LabelReasons,
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  generateName,
  labelValueReasons,
  pathSegmentReasons,
  portNameReasons,
  qualifiedNameReasons,
} from "./names.ts";

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe("names", () => {
  it("[API-081] refuses what is no DNS subdomain", () => {
    expect(dns1123SubdomainReasons("Bad_Name")).toEqual([subdomain]);
    expect(dns1123SubdomainReasons("web.example-1.com")).toEqual([]);
  });

  it("[API-082] limits subdomains to 253 and labels to 63 characters", () => {
    expect(dns1123SubdomainReasons("a".repeat(253))).toEqual([]);
    expect(dns1123SubdomainReasons("a".repeat(254))).toEqual(["must be no more than 253 characters"]);
    expect(dns1123LabelReasons("a".repeat(64))).toEqual(["must be no more than 63 characters"]);
  });

  it("[API-083] refuses what is no DNS label", () => {
    expect(dns1123LabelReasons("Web")).toEqual([label]);
  });

  it("[API-084] says when only the dots are wrong", () => {
    expect(dns1123LabelReasons("a.b")).toEqual(["must not contain dots"]);
  });

  it("refuses a DNS-1035 label that begins with a digit", () => {
    expect(dns1035LabelReasons("1a")).toEqual([
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  it("[API-086] refuses what cannot stand in a URL's path", () => {
    expect([".", "..", "a/b", "a%b", "system:node"].map(pathSegmentReasons)).toEqual([
      ["may not be '.'"],
      ["may not be '..'"],
      ["may not contain '/'"],
      ["may not contain '%'"],
      [],
    ]);
  });

  it("[API-089] refuses label keys by their parts", () => {
    const part =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    expect(qualifiedNameReasons("-a")).toEqual([`name part ${part}`]);
    expect(qualifiedNameReasons("/a")).toEqual(["prefix part must be non-empty"]);
    expect(qualifiedNameReasons("A/a")).toEqual([`prefix part ${subdomain}`]);
    expect(qualifiedNameReasons("")).toEqual(["name part must be non-empty", `name part ${part}`]);
    expect(qualifiedNameReasons("a/b/c")).toEqual([
      `a valid label key ${part} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]);
  });

  it("[API-090] refuses label values", () => {
    expect(labelValueReasons("a b")).toEqual([
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ]);
    expect(labelValueReasons("a".repeat(64))).toEqual(["must be no more than 63 bytes"]);
  });

  it("[API-091] accepts an empty label value", () => {
    expect(labelValueReasons("")).toEqual([]);
  });

  it("refuses keys of ConfigMaps and names of ports", () => {
    expect(configMapKeyReasons("..")).toEqual(["must not be '..'"]);
    expect(configMapKeyReasons("a b")).toEqual([
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ]);
    expect(portNameReasons("a--b-very-long-name-")).toEqual([
      "must be no more than 15 characters",
      "must not contain consecutive hyphens",
      "must not begin or end with a hyphen",
    ]);
  });

  it("[API-079] generates names: the prefix cut to 58 characters and five more", () => {
    let next = 0;
    const random = (limit: number) => next++ % limit;
    expect(generateName("web-", random)).toBe("web-bcdfg");
    expect(generateName("x".repeat(70), random)).toHaveLength(63);
  });
});
