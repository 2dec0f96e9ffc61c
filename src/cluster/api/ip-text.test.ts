import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCidr, formatIp, inRange, masked, parseCidr, parseIp } from "./ip-text.ts";

const ipv6 = fc.ipV6();

describe("addresses as texts", () => {
  it("reads what it writes, whatever the spelling", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), ipv6), (text) => {
        const address = parseIp(text);
        if (address === undefined) throw new Error(`not read: ${text}`);
        expect(parseIp(formatIp(address))?.bytes).toEqual(address.bytes);
      }),
    );
  });

  it.each([
    ["::", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["FE80:0:0:0:0:0:0:0abc", "fe80::abc"],
    ["2001:db8:0:1:0:0:0:1", "2001:db8:0:1::1"],
    ["1:0:0:2:0:0:3:4", "1::2:0:0:3:4"],
    ["1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
    ["010.0.0.1", "10.0.0.1"],
  ])("writes %s as %s", (text, canonical) => {
    const address = parseIp(text);
    expect(address === undefined ? undefined : formatIp(address)).toBe(canonical);
  });

  it.each([
    "",
    "1.2.3",
    "1.2.3.256",
    "1.2.3.4.5",
    "::1::",
    ":::",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "fe80::1%eth0",
    "1.2.3.4::",
    "::g",
  ])("does not read %j", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it("has each address in the range that its bits begin", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), ipv6), fc.nat(128), (text, bits) => {
        const address = parseIp(text);
        if (address === undefined) return;
        const prefix = Math.min(bits, address.bytes.length * 8);
        const range = parseCidr(`${formatIp(masked(address, prefix))}/${prefix}`);
        expect(range !== undefined && inRange(address, range)).toBe(true);
        expect(range === undefined ? "" : formatCidr(range)).toBe(`${formatIp(masked(address, prefix))}/${prefix}`);
      }),
    );
  });

  it.each(["10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "::/129"])("%j is no range", (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});
