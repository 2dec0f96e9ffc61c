// Every flag of every command is read by the command's code, or stands in one of the two tables.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commandAtPath } from "../commands/index.ts";
import { commandAt, type FlagInfo, subcommandsOf } from "../help/catalog-reader.ts";
import { kubectlWorld } from "../kubectl-fixture.ts";
import { flagsOf } from "./tree.ts";
import { refusedFlags, silentFlags, unreadFlag } from "./unread-flags.ts";

const room = resolve(import.meta.dirname, "..");

const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/test|fixture|generated\/|unread-flags/.test(name))
    .map((name) => [join(room, name), readFileSync(join(room, name), "utf8")]),
);

/** A file's text with that of all files of this room that it imports. */
function textBehind(path: string, seen = new Set<string>()): string {
  const text = sources.get(path);
  if (text === undefined || seen.has(path)) return "";
  seen.add(path);
  const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, target = ""]) => resolve(dirname(path), target));
  return text + imports.map((target) => textBehind(target, seen)).join("");
}

/** What every command goes through. */
const shared = ["kubectl.ts", "context.ts", "config/effective.ts", "config/kubeconfig.ts"]
  .map((name) => sources.get(join(room, name)) ?? "")
  .join("");

/** Commands whose path is put together: where they stand, and the flags whose names are. */
const madeAt: { readonly [path: string]: string } = {
  "create service clusterip": "commands/create/create-service.ts",
  "create service externalname": "commands/create/create-service.ts",
  "create service loadbalancer": "commands/create/create-service.ts",
  "create service nodeport": "commands/create/create-service.ts",
};
const composed = ["docker-server", "docker-username", "docker-password", "docker-email"];

const commandPaths: string[] = [];
function collect(path: string): void {
  if (commandAtPath(path) !== undefined) commandPaths.push(path);
  for (const command of subcommandsOf(path)) collect(command.path);
}
collect("");

function flagsAt(path: string): readonly FlagInfo[] {
  const command = commandAt(path);
  return command === undefined ? [] : flagsOf(command);
}

function codeOf(path: string): string {
  const made = madeAt[path];
  const files = made === undefined ? [...sources.keys()].filter((file) => namesCommand(file, path)) : [join(room, made)];
  return shared + files.map((file) => textBehind(file)).join("");
}

function namesCommand(file: string, path: string): boolean {
  return file.startsWith(join(room, "commands")) && !file.endsWith("index.ts") && sources.get(file)?.includes(`"${path}"`) === true;
}

describe("flags of kubectl", () => {
  it.each(commandPaths)("all act, or are known not to: %s", (path) => {
    const code = codeOf(path);
    const ignored = flagsAt(path)
      .map(({ name }) => name)
      .filter((name) => !code.includes(`"${name}"`) && !composed.includes(name))
      .filter((name) =>
        [silentFlags, refusedFlags].every((table) => unreadFlag<{ name: string }>(table, path, name) === undefined),
      );
    expect(ignored).toEqual([]);
  });

  it("are not listed where no command has them", () => {
    for (const entry of [...silentFlags, ...refusedFlags]) {
      const owners = commandPaths.filter(
        (path) => unreadFlag([entry], path, entry.name) !== undefined && flagsAt(path).some(({ name }) => name === entry.name),
      );
      expect(owners, entry.name).not.toEqual([]);
    }
  });

  it("are refused where they ask for what is not there", () => {
    const world = kubectlWorld();
    for (const path of commandPaths) {
      for (const { name, bareValue, type } of flagsAt(path)) {
        const entry = unreadFlag(refusedFlags, path, name);
        if (entry === undefined) continue;
        const isSwitch = bareValue !== undefined || type === "bool";
        const switched = entry.harmless.includes("true") ? "false" : "true";
        const value = isSwitch ? switched : "something";
        const { code, stderr } = world.run(`${path} --${name}=${value}`);
        const refusal = `error: --${name} is not part of this release of the embedded kubectl\n`;
        expect([path, code, stderr.replace(/^Flag .* deprecated.*\n/, "")]).toEqual([path, 1, refusal]);
      }
    }
  });
});
