// cfssl: making keys and certificates out of JSON, as of version 1.6.5. Here are print-defaults, gencert and version; its keys are RSA.

import type { Process, Program, Sys } from "#sim/program.ts";
import { gencert } from "./cfssl/gencert.ts";
import { CfsslFailure, readGoFlags } from "./cfssl/go-flags.ts";

export const versionText = "Version: 1.6.5\nRuntime: go1.22.0\n";

const elsewhere =
  "bundle certinfo crl gencrl gencsr genkey info ocspdump ocsprefresh ocspserve ocspsign revoke scan selfsign serve sign".split(
    " ",
  );

const defaults = new Map([
  [
    "config",
    {
      signing: {
        default: { expiry: "168h" },
        profiles: {
          www: { expiry: "8760h", usages: ["signing", "key encipherment", "server auth"] },
          client: { expiry: "8760h", usages: ["signing", "key encipherment", "client auth"] },
        },
      },
    },
  ],
  [
    "csr",
    {
      CN: "example.net",
      hosts: ["example.net", "www.example.net"],
      key: { algo: "ecdsa", size: 256 },
      names: [{ C: "US", ST: "CA", L: "San Francisco" }],
    },
  ],
]);

const defaultsUsage = `	cfssl print-defaults -- print default configurations that can be used as a template

Usage of print-defaults:
        cfssl print-defaults TYPE

If "list" is used as the TYPE, the list of supported types will be printed.
`;

function* printDefaults(self: Process, words: readonly string[]): Sys<number> {
  const none = { switches: "", valued: "", unsupported: "", usage: defaultsUsage };
  const [type] = readGoFlags("cfssl print-defaults", words, none).operands;
  if (type === undefined) throw new CfsslFailure("not enough arguments are supplied --- please refer to the usage");
  const document = defaults.get(type);
  const list = [...defaults.keys()].map((name) => `\t${name}\n`).join("");
  yield* self.write(
    1,
    document === undefined ? `Default configurations are available for:\n${list}` : `${JSON.stringify(document, undefined, 4)}\n\n`,
  );
  return 0;
}

const subcommands: { readonly [name: string]: (self: Process, words: readonly string[]) => Sys<number> } = {
  gencert,
  "print-defaults": printDefaults,
  *version(self) {
    yield* self.write(1, versionText);
    return 0;
  },
};

function usage(): string {
  const names = [...Object.keys(subcommands), ...elsewhere].sort();
  return `Usage:\nAvailable commands:\n${names.map((name) => `\t${name}\n`).join("")}Top-level flags:`;
}

export const cfssl: Program = function* (self) {
  try {
    const [name, ...words] = self.argv.slice(1);
    if (name === undefined) throw new CfsslFailure(`No command is given.\n${usage()}`);
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand !== undefined) return yield* subcommand(self, words);
    if (elsewhere.includes(name))
      throw new CfsslFailure(`cfssl: ${name} is not simulated; gencert, print-defaults and version are`);
    if (name.startsWith("-")) throw new CfsslFailure(`flag provided but not defined: ${name}\n${usage()}`, 2);
    throw new CfsslFailure(`Command ${name} is not defined.\n${usage()}`);
  } catch (error) {
    if (!(error instanceof CfsslFailure)) throw error;
    // What is said of a configuration ends without a new line.
    const end = error.message.startsWith("Failed to load config file") ? "" : "\n";
    yield* self.write(2, `${error.message.replace(/\n$/u, "")}${end}`);
    return error.status;
  }
};
