import { describe, expect, it } from "vitest";
import { WrongCommandLine } from "#cluster/component-flags.ts";
import { flagValuesOf, knownFlagsOf } from "./flag-values.ts";

describe("the flags of a component", () => {
  it("are its own, not those of another", () => {
    const has = (component: string, flag: string) => knownFlagsOf(component).names.includes(flag);
    const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"];
    const who = (flag: string) => components.filter((component) => has(component, flag));
    expect(who("leader-elect")).toEqual(["kube-controller-manager", "kube-scheduler"]);
    expect(who("encryption-provider-config")).toEqual(["kube-apiserver"]);
    expect(who("concurrent-resourceclaim-syncs")).toEqual(["kube-controller-manager"]);
    expect(who("v")).toEqual(components);
    expect(() => knownFlagsOf("kube-router")).toThrow(TypeError);
  });

  it("stand alone where they are true or false", () => {
    const { names, boolean } = knownFlagsOf("kube-apiserver");
    expect(boolean).toContain("profiling");
    expect(boolean).not.toContain("v");
    expect(boolean.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("have what was given, as pflag prints it, and defaults", () => {
    const given = [
      "kube-scheduler",
      "--leader-elect-lease-duration=90s",
      "--profiling=false",
      "--feature-gates=B=true,A=false",
      "-v=4",
    ];
    const values = flagValuesOf("kube-scheduler", given);
    const shown = ["leader-elect-lease-duration", "profiling", "feature-gates", "v", "leader-elect-renew-deadline", "secure-port"];
    expect(shown.map((name) => values.get(name))).toEqual(["1m30s", "false", "A=false,B=true", "4", "10s", "10259"]);
    expect(() => flagValuesOf("kube-apiserver", ["kube-apiserver", "--kubeconfig=/x"])).toThrow(WrongCommandLine);
  });
});
