// What a learner has done, as statements of xAPI 2.0 (IEEE 9274.1.1). A statement's id comes from what it tells, but for names and titles:
// what is taken in a second time doubles nothing.

import { type Locale, languageTags } from "../../../i18n/locales.ts";
import { type CourseOutline, lessonsOf } from "../../page/outline.ts";
import { uuidOf } from "./uuid.ts";

/** What the statements of a class have in common. */
export interface StatementSetting {
  /** The site's address, with a slash at its end. */
  readonly root: string;
  readonly classId: string;
  readonly className: string;
  readonly locale: Locale;
  readonly outline: CourseOutline;
  /** Whether learners are named. */
  readonly names: boolean;
}

/** What is held of one learner. */
export interface LearnerRecord {
  readonly id: string;
  readonly name: string;
  readonly milestones: readonly { readonly lesson: string; readonly what: string; readonly at: number }[];
  /** When labs of lessons were first worked at. */
  readonly begun: readonly { readonly lab: string; readonly at: number }[];
  /** In the order in which they were passed. */
  readonly results: readonly PassedStep[];
  readonly sittings: readonly HeldSitting[];
}

export interface PassedStep {
  readonly lab: string;
  /** "" outside exams. */
  readonly exam: string;
  readonly step: string;
  readonly points: number;
  readonly tookMs: number;
  readonly passedAt: number;
}

export interface HeldSitting {
  readonly exam: string;
  readonly title: string;
  readonly labs: readonly string[];
  readonly begunAt: number;
  readonly endsAt: number;
  /** Nothing can come any more. */
  readonly isOver: boolean;
}

type LanguageMap = Readonly<Record<string, string>>;
interface Activity {
  readonly objectType: "Activity";
  readonly id: string;
  readonly definition: { readonly type: string; readonly name: LanguageMap; readonly moreInfo?: string };
}
interface Score {
  readonly scaled?: number;
  readonly raw: number;
  readonly min: 0;
  readonly max?: number;
}
interface ActivityResult {
  readonly score?: Score;
  readonly success?: boolean;
  readonly completion?: boolean;
  readonly duration?: string;
}
export interface Statement {
  readonly id: string;
  readonly version: "2.0.0";
  readonly actor: {
    readonly objectType: "Agent";
    readonly name?: string;
    readonly account: { readonly homePage: string; readonly name: string };
  };
  readonly verb: { readonly id: string; readonly display: LanguageMap };
  readonly object: Activity;
  readonly result?: ActivityResult;
  readonly context: {
    readonly registration?: string;
    readonly platform: "Pilothouse";
    readonly language: string;
    readonly contextActivities: { readonly parent?: readonly Activity[]; readonly grouping: readonly Activity[] };
  };
  readonly timestamp: string;
}

const adl = "http://adlnet.gov/expapi";
const kinds = {
  class: "http://id.tincanapi.com/activitytype/school-class",
  lesson: `${adl}/activities/lesson`,
  question: `${adl}/activities/question`,
  lab: `${adl}/activities/simulation`,
  step: `${adl}/activities/objective`,
  exam: `${adl}/activities/assessment`,
} as const;
type Verb = "attempted" | "progressed" | "passed" | "completed" | "answered";

export function statementsOf(setting: StatementSetting, record: LearnerRecord): readonly Statement[] {
  const told = new Teller(setting, record);
  return [...told.lessons(), ...told.labs(), ...told.exams()].sort(
    (a, b) => a.timestamp.localeCompare(b.timestamp) || a.id.localeCompare(b.id),
  );
}

class Teller {
  readonly #setting: StatementSetting;
  readonly #record: LearnerRecord;

  constructor(setting: StatementSetting, record: LearnerRecord) {
    this.#setting = setting;
    this.#record = record;
  }

  /** The learner's own word. */
  lessons(): readonly Statement[] {
    return this.#record.milestones.map(({ lesson, what, at }) => {
      const activity = this.#lesson(lesson);
      if (what === "done") return this.#say("completed", activity, at, { result: { completion: true } });
      const number = Number(what.slice(1)) + 1;
      const name = `${this.#titleOfLesson(lesson)} · ${number}`;
      const question = this.#activity("question", `lessons/${lesson}#question-${number}`, name);
      return this.#say("answered", question, at, { result: { success: true }, parent: activity });
    });
  }

  labs(): readonly Statement[] {
    const { begun, results } = this.#record;
    return [
      ...begun.map(({ lab, at }) => this.#say("attempted", this.#lab(lab), at, {})),
      ...this.#passed(
        results.filter(({ exam }) => exam === ""),
        {},
      ),
    ];
  }

  exams(): readonly Statement[] {
    return this.#record.sittings.flatMap((sitting) => {
      const { exam, title, labs, begunAt, endsAt, isOver } = sitting;
      const activity = this.#activity("exam", `exams/${exam}`, title);
      const registration = uuidOf(`${activity.id} ${this.#record.id}`);
      const own = this.#record.results.filter((row) => row.exam === exam);
      const points = own.reduce((sum, row) => sum + row.points, 0);
      const mosts = labs.map((lab) => this.#mostOf(lab));
      const most = mosts.every((one) => one !== undefined) ? mosts.reduce((sum: number, one) => sum + (one ?? 0), 0) : undefined;
      const result = { score: scoreOf(points, most), completion: true, duration: durationOf(endsAt - begunAt) };
      return [
        this.#say("attempted", activity, begunAt, { registration }),
        ...this.#passed(own, { registration, exam: activity }),
        ...(isOver ? [this.#say("completed", activity, endsAt, { registration, result })] : []),
      ];
    });
  }

  /** Each step; how far a lab is after those that were passed at once; a lab of which nothing is left. */
  #passed(
    rows: readonly PassedStep[],
    { exam, ...own }: { readonly registration?: string; readonly exam?: Activity },
  ): readonly Statement[] {
    const above = exam === undefined ? {} : { grouping: exam };
    return [...Map.groupBy(rows, ({ lab }) => lab)].flatMap(([lab, ofLab]) => {
      const activity = this.#lab(lab);
      const left = new Set(this.#setting.outline.labs[lab]?.steps.map(({ id }) => id));
      const isKnown = left.size > 0;
      let points = 0;
      let tookMs = 0;
      return [...Map.groupBy(ofLab, ({ passedAt }) => passedAt)].flatMap(([at, together]) => {
        const before = left.size;
        for (const row of together) {
          left.delete(row.step);
          points += row.points;
          tookMs += row.tookMs;
        }
        const steps = together.map((row) => {
          const { step, points: given, tookMs: took } = row;
          const known = this.#setting.outline.labs[lab]?.steps.find(({ id }) => id === step);
          const name = known?.title ?? step;
          const result = { score: scoreOf(given, known?.most), success: true, duration: durationOf(took) };
          const object = this.#activity("step", `labs/${lab}#${step}`, name, this.#page(lab));
          return this.#say("passed", object, at, { ...own, ...above, result, parent: activity });
        });
        const score = scoreOf(points, this.#mostOf(lab));
        const isDone = isKnown && left.size === 0 && before > 0;
        const result = isDone ? { score, completion: true, duration: durationOf(tookMs) } : { score };
        const parent = exam === undefined ? {} : { parent: exam };
        return [...steps, this.#say(isDone ? "completed" : "progressed", activity, at, { ...own, ...parent, result })];
      });
    });
  }

  #say(
    verb: Verb,
    object: Activity,
    at: number,
    {
      registration,
      result,
      parent,
      grouping,
    }: {
      readonly registration?: string;
      readonly result?: ActivityResult;
      readonly parent?: Activity;
      readonly grouping?: Activity;
    },
  ): Statement {
    const { root, locale, names, classId, className } = this.#setting;
    const { id, name } = this.#record;
    const account = { homePage: root, name: id };
    const timestamp = new Date(at).toISOString();
    const classActivity = this.#activity("class", `classes/${classId}`, className);
    const above = [classActivity, ...(grouping === undefined ? [] : [grouping])];
    const told = [account, verb, object.id, result, registration, parent?.id, above.map((one) => one.id), locale, timestamp];
    return {
      id: uuidOf(JSON.stringify(told)),
      version: "2.0.0",
      actor: { objectType: "Agent", ...(names ? { name } : {}), account },
      verb: { id: `${adl}/verbs/${verb}`, display: { "en-US": verb } },
      object,
      ...(result === undefined ? {} : { result }),
      context: {
        ...(registration === undefined ? {} : { registration }),
        platform: "Pilothouse",
        language: languageTags[locale],
        contextActivities: { ...(parent === undefined ? {} : { parent: [parent] }), grouping: above },
      },
      timestamp,
    };
  }

  #activity(kind: keyof typeof kinds, path: string, name: string, place?: string): Activity {
    const { root, locale } = this.#setting;
    const more = place === undefined ? {} : { moreInfo: `${root}${locale}/${place}/` };
    return {
      objectType: "Activity",
      id: `${root}${path}`,
      definition: { type: kinds[kind], name: { [languageTags[locale]]: name }, ...more },
    };
  }

  #lesson(slug: string): Activity {
    const place = lessonsOf(this.#setting.outline).find((lesson) => lesson.slug === slug)?.place;
    return this.#activity("lesson", `lessons/${slug}`, this.#titleOfLesson(slug), place);
  }

  #titleOfLesson(slug: string): string {
    return lessonsOf(this.#setting.outline).find((lesson) => lesson.slug === slug)?.title ?? slug;
  }

  #lab(lab: string): Activity {
    return this.#activity("lab", `labs/${lab}`, this.#setting.outline.labs[lab]?.title ?? lab, this.#page(lab));
  }

  #page(lab: string): string | undefined {
    return this.#setting.outline.labs[lab]?.place;
  }

  #mostOf(lab: string): number | undefined {
    return this.#setting.outline.labs[lab]?.steps.reduce((sum, { most }) => sum + most, 0);
  }
}

/** A lab that lost steps since may have given more than it has now. */
function scoreOf(raw: number, most: number | undefined): Score {
  if (most === undefined || most === 0 || raw > most) return { raw, min: 0 };
  return { scaled: Math.round((raw / most) * 10_000) / 10_000, raw, min: 0, max: most };
}

/** ISO 8601, in hundredths of a second at most, as the standard has it. */
function durationOf(durationMs: number): string {
  return `PT${Math.round(durationMs / 10) / 100}S`;
}
