// Copies of the templates, at their places in labs/ and content/. Nothing that is there is written over.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCurriculum } from "#course/curriculum.ts";
import { labLocales } from "#lab/catalog.ts";
import { lowerCaseWords } from "#reading/shapes.ts";

/** What the author did not see, in a sentence. */
export class AuthoringError extends Error {}

const templates = join(import.meta.dirname, "templates");

/** Paths of the files that were written, below `root`. Throws AuthoringError. */
export function newLab(root: string, id: string): readonly string[] {
  checkId(id);
  const folder = join("labs", id);
  if (existsSync(join(root, folder))) throw new AuthoringError(`${folder} is there already`);
  const files = readdirSync(join(templates, "lab")).sort();
  for (const file of files) write(join(root, folder, file), template("lab", file).replaceAll("LAB-ID", id));
  return files.map((file) => join(folder, file));
}

/** `place`: `part/slug`, as in content/curriculum.yaml. Paths of the files that were written. Throws AuthoringError, FileMistake. */
export function newLesson(root: string, place: string): readonly string[] {
  const slash = place.indexOf("/");
  const [part, slug] = slash < 0 ? [place, ""] : [place.slice(0, slash), place.slice(slash + 1)];
  const parts = readCurriculum(root);
  const lessons = parts.find((each) => each.slug === part)?.lessons;
  if (lessons === undefined) throw new AuthoringError(`the curriculum has no part "${part}"; it has ${names(parts)}`);
  const lesson = lessons.find((each) => each.slug === slug);
  if (lesson === undefined) throw new AuthoringError(`part ${part} has no lesson "${slug}"; it has ${names(lessons)}`);
  const paths = labLocales.map((locale) => join("content", "lessons", locale, part, `${slug}.mdx`));
  const there = paths.find((path) => existsSync(join(root, path)));
  if (there !== undefined) throw new AuthoringError(`${there} is there already`);
  const course = parts.flatMap((each) => each.lessons);
  const next = course[course.indexOf(lesson) + 1];
  for (const [index, locale] of labLocales.entries()) {
    const title = JSON.stringify(lesson.title[locale]);
    const nextTitle = next?.title[locale] ?? "";
    const text = template("lesson", `${locale}.mdx`)
      .replace("{{title}}", title)
      .replace("{{lab}}", slug)
      .replace("{{next}}", nextTitle);
    write(join(root, paths[index] as string), text);
  }
  return paths;
}

function checkId(id: string): void {
  const { pattern, expected } = lowerCaseWords;
  if (!pattern.test(id)) throw new AuthoringError(`"${id}" must be ${expected}`);
}

function names(things: readonly { readonly slug: string }[]): string {
  return things.map(({ slug }) => slug).join(", ");
}

function template(kind: string, file: string): string {
  return readFileSync(join(templates, kind, file), "utf8");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
