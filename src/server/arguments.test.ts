import { describe, expect, it } from "vitest";
import { helpText, namesOfOptions, readArguments } from "./arguments.ts";

describe("the command line of npm run cluster", () => {
  it("reads all options in both forms", () => {
    expect(
      readArguments([
        "--port",
        "7000",
        "--nodes=5",
        "--control-planes=3",
        "--kubeconfig",
        "/tmp/k=1",
        "--seed=9",
        "--insecure-http",
        "--no-addons",
      ]),
    ).toEqual({
      port: 7000,
      nodes: 5,
      controlPlanes: 3,
      kubeconfig: "/tmp/k=1",
      seed: 9,
      insecureHttp: true,
      withoutAddons: true,
      lab: undefined,
      terminal: false,
    });
  });

  it("reads the name of a lab and whether there is a terminal", () => {
    const read = readArguments(["--kubeconfig", "k", "--lab", "rollback", "--terminal"]);
    expect(read).toMatchObject({ lab: "rollback", terminal: true, nodes: 3, controlPlanes: 1, withoutAddons: false });
  });

  it.each([[["--help"]], [["-h"]], [["--port", "7000", "--help"]], [["--lab", "rollback", "--nodes", "2", "--help"]]])(
    "is asked for help by %j",
    (args) => {
      expect(readArguments(args)).toBe("help");
    },
  );

  it("takes --help for a value where one is due", () => {
    expect(readArguments(["--kubeconfig", "--help"])).toMatchObject({ kubeconfig: "--help" });
  });

  it("has a line of help for every option, none wider than a terminal", () => {
    const lines = helpText.split("\n");
    expect(namesOfOptions.filter((option) => !lines.some((line) => line.startsWith(`  ${option} `)))).toEqual([]);
    expect([namesOfOptions.length, lines.filter((line) => line.length > 80)]).toEqual([9, []]);
  });

  it.each([
    [["--kubeconfig", "k", "--port", "abc"], '--port takes a whole number from 1 to 65535, not "abc"'],
    [["--kubeconfig", "k", "--port", "0"], '--port takes a whole number from 1 to 65535, not "0"'],
    [["--kubeconfig", "k", "--port", "70000"], '--port takes a whole number from 1 to 65535, not "70000"'],
    [["--kubeconfig", "k", "--nodes", "-1"], '--nodes takes a whole number from 0 to 5000, not "-1"'],
    [["--kubeconfig", "k", "--control-planes", "4"], '--control-planes takes a whole number from 1 to 3, not "4"'],
    [["--kubeconfig"], "--kubeconfig needs a value"],
    [[], "--kubeconfig FILE is needed: the file to write the cluster's address to"],
    [
      ["--prot", "1"],
      'there is no option "--prot"; the options are --port, --nodes, --control-planes, --kubeconfig, --seed, --lab, --insecure-http, --no-addons, --terminal',
    ],
    [
      ["--kubeconfig", "k", "--lab=x", "--nodes=1"],
      "--lab says which nodes and add-ons there are; leave --nodes, --control-planes and --no-addons out",
    ],
  ])("refuses %j in one sentence", (args, message) => {
    expect(() => readArguments(args)).toThrow(new Error(message));
  });
});
