// Who comes by a platform: its course is a class, its instructors are teachers, its learners learners of that class, each with an account
// of the platform's. Nobody needs a code or a word.

import type { Locale } from "../../../i18n/locales.ts";
import { Refused } from "../http/refusals.ts";
import { takeIn } from "../people/learners.ts";
import { hashSecret, nameKey, newCode, newId, newToken, tokenHash } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import { type Launch, LaunchRefused } from "./id-token.ts";
import { platformId } from "./platforms.ts";

export interface BoundClass {
  readonly id: string;
  readonly locale: Locale;
  readonly isOpen: boolean;
}

/** How many people of a class may have the same name. */
const mostNamesakes = 200;

/** One line, as names here are; undefined when nothing is left. */
export function cleanName(given: string | undefined, most: number): string | undefined {
  const line = (given ?? "")
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cf}+/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  let short = "";
  for (const letter of line)
    if (short.length + letter.length <= most) short += letter;
    else break;
  return short.trim() === "" ? undefined : short.trim();
}

/** Of who has no name: always the same one. */
function nameless(subject: string): string {
  return `#${tokenHash(subject).slice(0, 6)}`;
}

function namesake(name: string, number: number, most: number): string {
  const suffix = number === 1 ? "" : ` (${number})`;
  return `${cleanName(name, most - suffix.length) ?? name}${suffix}`;
}

export async function classOfCourse({ database }: Services, launch: Launch): Promise<BoundClass | undefined> {
  const { course, deployment } = courseOf(launch);
  const row = await database
    .selectFrom("lti_contexts")
    .innerJoin("classes", "classes.id", "lti_contexts.class_id")
    .select(["classes.id", "classes.locale", "classes.is_open"])
    .where("platform", "=", platformId(launch.platform))
    .where("deployment", "=", deployment)
    .where("context", "=", course.id)
    .executeTakeFirst();
  return row && { id: row.id, locale: row.locale as Locale, isOpen: row.is_open === 1 };
}

/** The course's class, made when there is none. */
export async function openClass(services: Services, launch: Launch, teacher: string, locale: Locale): Promise<BoundClass> {
  const before = await classOfCourse(services, launch);
  if (before !== undefined) return before;
  const { database, now } = services;
  const { course, deployment } = courseOf(launch);
  const name = cleanName(course.title, 80) ?? launch.platform.name.slice(0, 80);
  const id = newId();
  const made = { plan: "[]", is_open: 1, revision: 1, by_teacher: teacher, made_at: now() };
  await database.transaction().execute(async (change) => {
    await change
      .insertInto("classes")
      .values({ id, name, locale, code: newCode(), ...made })
      .execute();
    const bound = await change
      .insertInto("lti_contexts")
      .values({ platform: platformId(launch.platform), deployment, context: course.id, class_id: id, title: name })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Another instructor came at the same moment: theirs is the class.
    if (bound.numInsertedOrUpdatedRows !== 1n) await change.deleteFrom("classes").where("id", "=", id).execute();
  });
  return (await classOfCourse(services, launch)) ?? refuse("class-not-there");
}

function courseOf({ course, deployment }: Launch): { readonly course: NonNullable<Launch["course"]>; readonly deployment: string } {
  return { course: course ?? refuse("no-course"), deployment };
}

function refuse(reason: LaunchRefused["reason"]): never {
  throw new LaunchRefused(reason);
}

/** @returns the teacher's id. */
export async function teacherOfLaunch({ database, now, costs }: Services, launch: Launch): Promise<string> {
  const who = { platform: platformId(launch.platform), subject: launch.subject };
  const find = async (): Promise<string | undefined> =>
    (
      await database
        .selectFrom("lti_teachers")
        .select("teacher_id")
        .where("platform", "=", who.platform)
        .where("subject", "=", who.subject)
        .executeTakeFirst()
    )?.teacher_id;
  const known = await find();
  if (known !== undefined) return known;
  // Nobody knows this password: the platform is the way in.
  const password = await hashSecret(newToken(), costs.teacher);
  const wanted = cleanName(launch.name, 60) ?? nameless(launch.subject);
  for (let number = 1; number <= mostNamesakes; number += 1) {
    const name = namesake(wanted, number, 60);
    const id = newId();
    const isMade = await database.transaction().execute(async (change) => {
      const made = await change
        .insertInto("teachers")
        .values({ id, name, name_key: nameKey(name), password, made_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (made.numInsertedOrUpdatedRows !== 1n) return false;
      const bound = await change
        .insertInto("lti_teachers")
        .values({ ...who, teacher_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (bound.numInsertedOrUpdatedRows !== 1n) await change.deleteFrom("teachers").where("id", "=", id).execute();
      return true;
    });
    if (isMade) break;
  }
  return (await find()) ?? refuse("class-full");
}

/** @returns the learner's id, and whether they are new in the class. */
export async function learnerOfLaunch(
  services: Services,
  launch: Launch,
  { id: classId, isOpen }: BoundClass,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { database } = services;
  const who = { platform: platformId(launch.platform), subject: launch.subject, class_id: classId };
  const find = async (): Promise<string | undefined> =>
    (
      await database
        .selectFrom("lti_learners")
        .select("learner_id")
        .where("platform", "=", who.platform)
        .where("subject", "=", who.subject)
        .where("class_id", "=", classId)
        .executeTakeFirst()
    )?.learner_id;
  const known = await find();
  if (known !== undefined) return { id: known, isNew: false };
  if (!isOpen) refuse("class-closed");
  const made = await takeInByName(services, classId, cleanName(launch.name, 40) ?? nameless(launch.subject));
  const bound = await database
    .insertInto("lti_learners")
    .values({ ...who, learner_id: made, has_word: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (bound.numInsertedOrUpdatedRows === 1n) return { id: made, isNew: true };
  // Came twice at the same moment.
  await database.deleteFrom("learners").where("id", "=", made).execute();
  return { id: (await find()) ?? refuse("class-full"), isNew: false };
}

/** Nobody knows the word: until the teacher tells another one, the platform is the way in. */
async function takeInByName(services: Services, classId: string, wanted: string): Promise<string> {
  for (let number = 1; number <= mostNamesakes; number += 1) {
    try {
      return await takeIn(services, classId, namesake(wanted, number, 40), newToken());
    } catch (error) {
      if (!(error instanceof Refused) || error.word !== "name-taken") {
        if (error instanceof Refused && error.word === "class-full") refuse("class-full");
        throw error;
      }
    }
  }
  return refuse("class-full");
}
