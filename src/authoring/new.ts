// `npm run new:lab -- ID` and `npm run new:lesson -- PART/SLUG`: the files of a new lab or lesson, in four languages.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { FileMistake } from "#reading/yaml-fields.ts";
import { AuthoringError, newLab, newLesson } from "./new-files.ts";

const usage = "say which: npm run new:lab -- ID, or npm run new:lesson -- PART/SLUG";
const root = join(import.meta.dirname, "..", "..");
const [what, name] = process.argv.slice(2);

try {
  if (name === undefined || (what !== "lab" && what !== "lesson")) throw new AuthoringError(usage);
  const written = what === "lab" ? newLab(root, name) : newLesson(root, name);
  console.log(written.join("\n"));
  console.log(what === "lab" ? `\nnext: npm run lab -- ${name}` : afterLesson(name));
} catch (error) {
  if (!(error instanceof AuthoringError) && !(error instanceof FileMistake)) throw error;
  console.error(error.message);
  process.exit(1);
}

function afterLesson(place: string): string {
  const lab = place.split("/")[1] ?? "";
  const missing = existsSync(join(root, "labs", lab)) ? "" : `its lab is not there yet: npm run new:lab -- ${lab}\n`;
  return `\n${missing}next: npm run dev, npm run lab -- ${lab}, and npx vitest run tests/lessons/language.test.ts tests/lessons/shape.test.ts`;
}
