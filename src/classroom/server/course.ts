// What the built site says of the course: titles of lessons, labs and steps in each language, and what steps count.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Locale, locales } from "../../i18n/locales.ts";
import type { CourseOutline } from "../page/outline.ts";

export type Course = Readonly<Record<Locale, CourseOutline>>;

/** A site without lessons has an empty one. */
export function readCourse(site: string): Course {
  const read = (locale: Locale): CourseOutline => {
    const file = join(site, locale, "outline.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as CourseOutline) : { parts: [], labs: {} };
  };
  return Object.fromEntries(locales.map((locale) => [locale, read(locale)])) as Course;
}

/** Points of all of a lab's steps without help; undefined for a lab that the course does not have. */
export function mostOfLab({ fr }: Course, lab: string): number | undefined {
  return fr.labs[lab]?.steps.reduce((sum, { most }) => sum + most, 0);
}
