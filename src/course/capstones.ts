// The capstone at the end of a part: a lab named after the part (`labs/capstone-PART`), on a page of its own.

import { labFromSources, labTextsFromSources } from "#lab/catalog.ts";
import type { LabBundle } from "#lab/texts.ts";
import { type Locale, locales } from "../i18n/locales.ts";
import { lessonAddress } from "./addresses.ts";
import { labSources } from "./labs.ts";
import { type CoursePart, loadCourse, titleOf, writtenLessons } from "./lessons.ts";

export interface Capstone {
  readonly labId: string;
  readonly part: CoursePart;
  readonly title: Readonly<Record<Locale, string>>;
  /** What happened and what is asked for, in Markdown. */
  readonly story: Readonly<Record<Locale, string>>;
  readonly minutes: number;
  /** Percent of the points that must be reached. */
  readonly pass: number;
  readonly tasks: readonly CapstoneTask[];
}

export interface CapstoneTask {
  readonly id: string;
  readonly points: number;
  readonly title: Readonly<Record<Locale, string>>;
}

/** Last part of a capstone's address, where a lesson's has its slug. */
export const capstoneSlug = "capstone";

const known = new Map<string, Capstone | undefined>();

/** Undefined while the part has none; read once per build. */
export function capstoneOf(part: CoursePart): Capstone | undefined {
  if (!known.has(part.slug)) known.set(part.slug, readCapstone(part));
  return known.get(part.slug);
}

function readCapstone(part: CoursePart): Capstone | undefined {
  const labId = `capstone-${part.slug}`;
  if (labSources[`labs/${labId}/lab.yaml`] === undefined) return undefined;
  const lab = labFromSources(labSources, labId);
  if (lab.capstone !== true || lab.exam === undefined) throw new Error(`labs/${labId}/lab.yaml must say capstone: true`);
  const texts = new Map(locales.map((locale) => [locale, labTextsFromSources(labSources, lab, locale)]));
  const inAll = (word: (locale: Locale) => string | undefined): Capstone["title"] => {
    const [fr = "", zh = "", ja = "", es = ""] = locales.map(word);
    return { fr, zh, ja, es };
  };
  return {
    labId,
    part,
    title: inAll((locale) => texts.get(locale)?.title),
    story: inAll((locale) => texts.get(locale)?.goal),
    ...lab.exam,
    tasks: lab.steps.map(({ id, points = 0 }) => {
      return { id, points, title: inAll((locale) => texts.get(locale)?.steps[id]?.title) };
    }),
  };
}

export function pointsOf({ tasks }: Capstone): number {
  return tasks.reduce((sum, { points }) => sum + points, 0);
}

/** A stop on the way through the course: a lesson, or the capstone behind a part's last one. */
export interface Stop {
  readonly part: string;
  readonly slug: string;
  readonly title: Readonly<Record<Locale, string>>;
}

/** What is written, in the course's order. */
export function stopsOf(parts: readonly CoursePart[]): readonly Stop[] {
  return parts.flatMap((part) => {
    const capstone = capstoneOf(part);
    const lessons = writtenLessons([part]).map((lesson): Stop => {
      const [fr, zh, ja, es] = locales.map((locale) => titleOf(lesson, locale));
      return { part: part.slug, slug: lesson.slug, title: { fr: fr ?? "", zh: zh ?? "", ja: ja ?? "", es: es ?? "" } };
    });
    return capstone === undefined ? lessons : [...lessons, { part: part.slug, slug: capstoneSlug, title: capstone.title }];
  });
}

/** The stops before and behind one. */
export function neighboursOf(
  stops: readonly Stop[],
  part: string,
  slug: string,
): { readonly previous?: Stop; readonly next?: Stop } {
  const place = stops.findIndex((stop) => stop.part === part && stop.slug === slug);
  const [previous, next] = [stops[place - 1], stops[place + 1]];
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) };
}

/** A capstone's tasks with links to the lessons to read again. Throws for a lesson that is not written. */
export async function withLessons(bundle: LabBundle, locale: Locale): Promise<LabBundle> {
  const { definition, steps } = bundle;
  if (definition.capstone !== true) return bundle;
  const lessons = writtenLessons(await loadCourse());
  const linked = definition.steps.map(({ id, lesson: slug }) => {
    const lesson = lessons.find((candidate) => candidate.slug === slug);
    const texts = steps[id];
    if (lesson === undefined || texts === undefined)
      throw new Error(`labs/${definition.id}/lab.yaml: task ${id}: no lesson "${slug}" is written`);
    const link = { title: titleOf(lesson, locale), href: lessonAddress(locale, lesson.part, lesson.slug) };
    return [id, { ...texts, lesson: link }] as const;
  });
  return { ...bundle, steps: Object.fromEntries(linked) };
}
