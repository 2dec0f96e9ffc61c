import { describe, expect, it } from "vitest";
import { proxyAddress } from "./proxy-url.ts";

describe("proxy-url of a cluster", () => {
  it.each([
    ["http://proxy:3128", { host: "proxy", port: 3128 }],
    ["https://user:word@proxy", { host: "proxy", port: 443 }],
    ["socks5://127.0.0.1", { host: "127.0.0.1", port: 1080 }],
    ["http://[::1]:8/", { host: "::1", port: 8 }],
    ["", undefined],
  ])("%s leads to a host and a port", (url, address) => {
    expect(proxyAddress(url, "c")).toEqual(address);
  });

  it.each([
    ["x", 'invalid \'proxy-url\' "x" for cluster "c": unsupported scheme "", must be http, https, or socks5'],
    ["ftp://a:1", 'invalid \'proxy-url\' "ftp://a:1" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5'],
    ["http://%zz", 'invalid \'proxy-url\' "http://%zz" for cluster "c": could not parse: http://%zz'],
  ])("%s is refused", (url, message) => {
    expect(() => proxyAddress(url, "c")).toThrow(message);
  });
});
