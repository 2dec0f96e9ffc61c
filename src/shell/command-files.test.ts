import { expect, it } from "vitest";
import { commandFiles } from "./command-files.ts";
import { shellPrograms } from "./commands.ts";

it.each(["gnu", "busybox"] as const)("every command of %s has its file, and every file its program", (flavour) => {
  const shells = new Set(["bash", "sh", "ash"]);
  const files = [...commandFiles(flavour)].filter(([, entry]) => entry.type === "program");
  const names = files.map(([path]) => path.slice(path.lastIndexOf("/") + 1)).filter((name) => !shells.has(name));
  const programs = [...shellPrograms.keys()].filter((key) => key.startsWith(`${flavour}/`)).map((key) => key.split("/")[1] ?? "");
  expect(names.sort()).toEqual(programs.filter((name) => !shells.has(name)).sort());
});
