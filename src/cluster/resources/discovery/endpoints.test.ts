import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { endpoints } from "../core/services/endpoints.ts";
import { created, createFaults, createWarnings, rowOf, updateFaults } from "../strategy.test-kit.ts";
import { endpointSlices } from "./endpointslices.ts";

type Fields = { readonly [field: string]: JsonValue };

const loopback = "may not be in the loopback range (127.0.0.0/8, ::1/128)";
const slice = (addresses: readonly string[], addressType = "IPv4"): Fields => ({ addressType, endpoints: [{ addresses }] });

const sliceCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["[NET-084] no type", { endpoints: [] }, ["addressType: Required value"]],
  [
    "[NET-084] an unknown type",
    { addressType: "IP", endpoints: [] },
    ['addressType: Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  [
    "[NET-084] too many endpoints",
    { addressType: "IPv4", endpoints: Array.from({ length: 1001 }, () => ({ addresses: ["10.0.0.1"] })) },
    ["endpoints: Too many: 1001: must have at most 1000 items"],
  ],
  ["[NET-084] an endpoint nowhere", slice([]), ["endpoints[0].addresses: Required value: must contain at least 1 address"]],
  [
    "[NET-084] an address of the other family",
    slice(["10.0.0.1", "fd00::1"]),
    ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
  ],
  ["[NET-085] the loopback", slice(["127.0.0.1"]), [`endpoints[0].addresses[0]: Invalid value: "127.0.0.1": ${loopback}`]],
  ["[NET-085] the loopback of IPv6", slice(["::1"], "IPv6"), [`endpoints[0].addresses[0]: Invalid value: "::1": ${loopback}`]],
  [
    "[NET-085] addresses of one link",
    slice(["169.254.0.9", "224.0.0.9", "0.0.0.0"]),
    [
      'endpoints[0].addresses[0]: Invalid value: "169.254.0.9": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'endpoints[0].addresses[1]: Invalid value: "224.0.0.9": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      'endpoints[0].addresses[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
    ],
  ],
  ["[NET-086] a domain name", slice(["web.example.com"], "FQDN"), []],
  [
    "[NET-086] a domain name of one label",
    slice(["web"], "FQDN"),
    ['endpoints[0].addresses[0]: Invalid value: "web": should be a domain with at least two segments separated by dots'],
  ],
  [
    "ports that cannot be told apart",
    { addressType: "IPv4", ports: [{ port: 80 }, { port: 81, protocol: "ICMP" }] },
    ['ports[1].name: Duplicate value: ""', 'ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
];

describe("EndpointSlices", () => {
  it.each(sliceCases)("%s", (_title, fields, expected) => {
    expect(createFaults(endpointSlices, { endpoints: [], ...fields })).toEqual(expected);
  });

  it("[NET-084] keep their type", () => {
    expect(updateFaults(endpointSlices, slice(["10.0.0.1"]), slice(["a.example.com"], "FQDN"))).toEqual([
      'addressType: Invalid value: "FQDN": field is immutable',
    ]);
  });

  it("[NET-086] are warned of domain names", () => {
    expect(createWarnings(endpointSlices, slice(["web.example.com"], "FQDN"))).toEqual([
      "spec.addressType: FQDN endpoints are deprecated",
    ]);
  });

  it("count a change of their labels", () => {
    const old = created(endpointSlices, { ...slice(["10.0.0.1"]), metadata: { generation: 4 } });
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: "b" } } };
    expect(endpointSlices.prepareForUpdate?.(labelled, old).metadata.generation).toBe(5);
  });

  it("[NET-427] show the first three of what they have", () => {
    const ports = [{ port: 80 }, { port: 443, name: "a" }, { port: 1, name: "b" }, { port: 2, name: "c" }];
    const addresses = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"];
    expect(
      rowOf(endpointSlices, { addressType: "IPv4", ports, endpoints: addresses.map((one) => ({ addresses: [one] })) }),
    ).toEqual({
      Name: "web",
      AddressType: "IPv4",
      Ports: "80,443,1 + 1 more...",
      Endpoints: "10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...",
      Age: "10m",
    });
    expect(rowOf(endpointSlices, { addressType: "IPv4", endpoints: [] })).toMatchObject({ Ports: "<unset>", Endpoints: "<unset>" });
  });
});

describe("Endpoints", () => {
  it("say where, and by what name", () => {
    const subsets = [
      {},
      { addresses: [{ ip: "127.0.0.1" }, { ip: "x", hostname: "A" }], ports: [{ port: 80 }, { port: 0, name: "b" }] },
    ];
    const label =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    expect(createFaults(endpoints, { subsets })).toEqual([
      "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
      `subsets[1].addresses[0].ip: Invalid value: "127.0.0.1": ${loopback}`,
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      `subsets[1].addresses[1].hostname: Invalid value: "A": ${label}`,
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address',
      "subsets[1].ports[0].name: Required value",
      "subsets[1].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
    ]);
  });

  it("[NET-426] show the first three of their addresses", () => {
    const addresses = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"].map((ip) => ({ ip }));
    expect(rowOf(endpoints, { subsets: [{ addresses, ports: [{ port: 80 }] }] })).toEqual({
      Name: "web",
      Endpoints: "10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...",
      Age: "10m",
    });
    expect(rowOf(endpoints, {})["Endpoints"]).toBe("<none>");
  });
});
