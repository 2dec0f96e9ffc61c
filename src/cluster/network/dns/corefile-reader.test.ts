import { describe, expect, it } from "vitest";
import { kubeadmCorefile } from "./corefile.ts";
import { configurationSum, corefileSettings, serverKeys } from "./corefile-reader.ts";

const path = "/etc/coredns/Corefile";

const kubeadmSettings = { lameduckMs: 5_000, reloadMs: 30_000, jitterMs: 15_000, log: [], idle: [] };

function changed(from: string, to: string): string {
  return kubeadmCorefile.replace(from, to);
}

describe("a Corefile", () => {
  it("has the sum that CoreDNS tells of it, whatever comments and white space it has", () => {
    const sum =
      "1b226df79860026c6a52e67daa10d7f0d57ec5b023288ec00c5e05f93523c894564e15b91770d3a07ae1cfbe861d15b37d4a0027e69c546ab112970993a3b03b";
    expect(configurationSum(path, kubeadmCorefile)).toBe(sum);
    expect(configurationSum(path, changed("    errors\n", "  errors   # all of them\n"))).toBe(sum);
    expect(configurationSum(path, changed("errors\n", "errors\n    log\n"))).toMatch(/^2dd49c56/u);
  });

  it("of kubeadm's has nothing that has no effect here", () => {
    expect(corefileSettings(path, kubeadmCorefile)).toEqual(kubeadmSettings);
  });

  it.each([
    ["log", [{ scope: ".", classes: ["all"] }]],
    [
      "log example.org cluster.local.",
      [
        { scope: "example.org.", classes: ["all"] },
        { scope: "cluster.local.", classes: ["all"] },
      ],
    ],
    ["log {\n class denial error\n }", [{ scope: ".", classes: ["denial", "error"] }]],
    [
      "log . {\n class error\n }\n log a.b",
      [
        { scope: ".", classes: ["error"] },
        { scope: "a.b.", classes: ["all"] },
      ],
    ],
  ])("says what is logged: %s", (text, rules) => {
    expect(corefileSettings(path, changed("errors\n", `errors\n    ${text}\n`))).toEqual({ ...kubeadmSettings, log: rules });
  });

  it("says how long servers go on, and how often it is read", () => {
    const { lameduckMs, reloadMs, jitterMs } = corefileSettings(
      path,
      changed("lameduck 5s", "lameduck 1m30s").replace("reload", "reload 4s"),
    );
    expect([lameduckMs, reloadMs, jitterMs]).toEqual([90_000, 4_000, 2_000]);
  });

  it("names a server for each key", () => {
    expect(serverKeys(path, `${kubeadmCorefile}\nexample.org b:5353 {\n  forward . 192.0.2.53\n}\n`)).toEqual([
      ".:53",
      "b.:5353",
      "example.org.:53",
    ]);
  });

  it.each([
    [changed("ready\n", "ready\n    hosts {\n       10.0.0.1 a\n    }\n"), [":7 - hosts"]],
    [changed("/etc/resolv.conf", "8.8.8.8"), [":13 - forward"]],
    [changed("    loadbalance\n", ""), [":1 - without loadbalance"]],
    [`${kubeadmCorefile}example.org {\n  forward . 192.0.2.53\n}\n`, [":25 - the servers of example.org"]],
  ])("tells of what has no effect here", (text, idle) => {
    expect(corefileSettings(path, text).idle).toEqual(idle.map((what) => `${path}${what}`));
  });

  it.each([
    [changed("ready", "redy"), `${path}:6 - Error during parsing: Unknown directive 'redy'`],
    [changed("loadbalance\n}\n", "loadbalance\n"), `${path}:22 - Error during parsing: Unexpected EOF`],
    [
      changed("lameduck 5s", "lameduck soon"),
      `plugin/health: unable to parse lameduck duration value: 'soon' : time: invalid duration "soon"`,
    ],
    [changed("reload", "reload 1s"), "plugin/reload: interval value must be greater or equal to 2s"],
    [
      changed("errors\n", "errors\n log {\n classes all\n }\n"),
      `plugin/log: ${path}:4 - Error during parsing: unknown property 'classes'`,
    ],
  ])("that is wrong is refused in CoreDNS's words", (text, message) => {
    expect(() => corefileSettings(path, text)).toThrow(message);
  });
});
