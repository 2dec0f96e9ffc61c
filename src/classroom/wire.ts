// What goes between a page and the classroom's server: shapes of bodies and answers, each checked on arrival. Times are
// milliseconds since the epoch by the server's clock. All paths are below `<base>api/`.

import { type Static, Type } from "typebox";

const id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" });
/** Of a lesson or a lab. */
const slug = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" });
const stepId = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$" });
const time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
/** Neither control characters nor halves of characters: PostgreSQL keeps none of them. */
const noControls = "\\p{Cc}\\p{Cs}";
/** A name people read: one line, no spaces at its ends. */
const name = (maxLength: number) => {
  const inside = `[^${noControls}\\p{Cf}\\p{Zl}\\p{Zp}]`;
  const atEnd = `[^\\s${noControls}\\p{Cf}\\p{Zl}\\p{Zp}]`;
  return Type.String({ minLength: 1, maxLength, pattern: `^${atEnd}(?:${inside}*${atEnd})?$` });
};
/** Lines of a text. */
const lines = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: `^(?:[^${noControls}]|[\\n\\t])*$` });
const closed = { additionalProperties: false } as const;
const locale = Type.Union([Type.Literal("fr"), Type.Literal("zh"), Type.Literal("ja"), Type.Literal("es")]);
const nothingOr = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) => Type.Union([shape, Type.Null()]);

// Who is there

const newPassword = Type.String({ minLength: 12, maxLength: 200 });
const knownPassword = Type.String({ maxLength: 200 });

export const teacherSignUp = Type.Object(
  { invitation: Type.String({ maxLength: 100 }), name: name(60), password: newPassword },
  closed,
);
export type TeacherSignUp = Static<typeof teacherSignUp>;

export const teacherSignIn = Type.Object(
  { name: Type.String({ maxLength: 60, pattern: `^[^${noControls}]*$` }), password: knownPassword },
  closed,
);
export type TeacherSignIn = Static<typeof teacherSignIn>;

/** A teacher's own password becomes another one; the teacher's sessions end but for this one. */
export const passwordChange = Type.Object({ old: knownPassword, password: newPassword }, closed);

/** Null of who has no password and has just come from the learning platform. */
const ownPassword = nothingOr(knownPassword);

/** Ends one of a teacher's own sessions; null: all but the one that asks. */
export const sessionsEnd = Type.Object({ password: ownPassword, session: nothingOr(id) }, closed);

/** A browser in which a teacher is signed in. */
export interface OpenSession {
  readonly id: string;
  readonly begunAt: number;
  /** Written down each ten minutes at most. */
  readonly usedAt: number;
  /** The one that asks. */
  readonly isThis: boolean;
}

/** A learner comes in, or comes back with the same name and word. */
export const joining = Type.Object(
  { code: Type.String({ maxLength: 20 }), name: name(40), word: Type.String({ minLength: 4, maxLength: 100 }), locale },
  closed,
);
export type Joining = Static<typeof joining>;

/** Lessons in the teacher's order, each open from and until a time; without any the whole course is open. */
export const plannedLesson = Type.Object({ lesson: slug, from: nothingOr(time), until: nothingOr(time) }, closed);
export const plan = Type.Array(plannedLesson, { maxItems: 300 });
export type Plan = Static<typeof plan>;

export type Me =
  | { readonly role: "nobody" /** No teacher has come yet. */; readonly isNew: boolean }
  | {
      readonly role: "teacher";
      readonly id: string;
      readonly name: string;
      /** Who came by a learning platform has none. */
      readonly hasPassword: boolean;
    }
  | {
      readonly role: "learner";
      readonly id: string;
      readonly name: string;
      /** Nobody knows a word of who came by a learning platform, until a teacher tells one. */
      readonly hasWord: boolean;
      readonly class: { readonly id: string; readonly name: string; readonly plan: Plan };
    };

// A learner's work

const day = nothingOr(Type.Integer({ minimum: -100_000, maximum: 10_000_000 }));
const question = Type.Integer({ minimum: 0, maximum: 200 });
export const lessonWork = Type.Object(
  {
    steps: Type.Array(stepId, { maxItems: 60 }),
    questions: Type.Array(question, { maxItems: 60 }),
    done: Type.Boolean(),
    doneDay: day,
    recalls: Type.Array(Type.Object({ question, box: Type.Integer({ minimum: 0, maximum: 9 }), day: Type.Integer() }, closed), {
      maxItems: 60,
    }),
  },
  closed,
);
export type LessonWork = Static<typeof lessonWork>;

/** Lessons that changed; the answer holds all lessons, what was passed anywhere counts as passed. */
export const work = Type.Object(
  {
    lessons: Type.Record(slug, lessonWork, { ...closed, maxProperties: 400 }),
    last: nothingOr(Type.String({ pattern: "^[a-z0-9/-]{0,160}$" })),
  },
  closed,
);
export type Work = Static<typeof work>;

/** How a learner's run of a lab grows: `entries` from the number `from` on. What stood there before is replaced. Of a run that
 * another browser has written a part is refused (`elsewhere`), unless it says that it takes its place. */
export const runPart = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
    startMs: time,
    nowMs: time,
    format: Type.Integer({ minimum: 0, maximum: 1000 }),
    world: nothingOr(Type.String({ pattern: "^[\\x20-\\x7e]{0,200}$" })),
    from: Type.Integer({ minimum: 0, maximum: 200_000 }),
    entries: Type.Array(Type.Object({ timeMs: time, input: Type.Object({ kind: Type.String({ maxLength: 40 }) }) }, closed), {
      maxItems: 5000,
    }),
    hints: Type.Record(stepId, Type.Integer({ minimum: 0, maximum: 20 }), { ...closed, maxProperties: 60 }),
    solutions: Type.Array(stepId, { maxItems: 60 }),
    /** Steps that passed in the learner's browser: the server looks for itself. */
    claims: Type.Array(stepId, { maxItems: 60 }),
    /** The browser: a random id that it has for this learner. */
    writer: id,
    /** `HeldRun.revision` of another browser's run whose place this one takes: the learner has said so of just that one. */
    takesOver: nothingOr(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  closed,
);
export type RunPart = Static<typeof runPart>;

/** How many entries the server holds of the run; with less than `from` said, what is missing must be sent again. */
export interface RunHeld {
  readonly held: number;
}

/** Where a learner is, as their page tells it. */
export const presence = Type.Object(
  {
    /** `<part>/<lesson>`, or "" on other pages. */
    place: Type.String({ pattern: "^[a-z0-9/-]{0,160}$" }),
    lab: nothingOr(slug),
    step: nothingOr(stepId),
    /** Commands entered in this step that left it open. */
    attempts: Type.Integer({ minimum: 0, maximum: 100_000 }),
    hints: Type.Integer({ minimum: 0, maximum: 100 }),
    /** The reader has typed, clicked or scrolled within the last minute. */
    active: Type.Boolean(),
  },
  closed,
);
export type Presence = Static<typeof presence>;

/** Steps that the server's own world reached. */
export interface Result {
  readonly lab: string;
  readonly steps: readonly { readonly id: string; readonly passedAt: number; readonly hints: number }[];
  readonly points: number;
  /** Why the last submission was not taken, if it was not. */
  readonly refusal: string | null;
}

// Teachers

export const newClass = Type.Object({ name: name(80), locale, plan: Type.Optional(plan) }, closed);
export type NewClass = Static<typeof newClass>;
/** `revision`: the one that was changed; another teacher's change in between is not overwritten. */
export const changedClass = Type.Object({ revision: Type.Integer(), name: name(80), locale, plan, open: Type.Boolean() }, closed);
export type ChangedClass = Static<typeof changedClass>;

export interface Class {
  readonly id: string;
  readonly name: string;
  readonly locale: "fr" | "zh" | "ja" | "es";
  readonly code: string;
  readonly plan: Plan;
  /** Whether learners can join. */
  readonly open: boolean;
  readonly revision: number;
  readonly learners: number;
  readonly madeAt: number;
}

/** One learner on the board. */
export interface BoardRow {
  readonly learner: string;
  readonly name: string;
  readonly presence: Presence | null;
  /** Of the last sign of life. */
  readonly seenAt: number;
  /** Since when the learner is at this step. */
  readonly stepSince: number;
  readonly lessonsDone: number;
  /** Steps that were replayed and hold, over all labs. */
  readonly stepsPassed: number;
  /** The lab at which the learner is, or was last: its steps that hold. */
  readonly passedHere: readonly string[];
  readonly points: number;
  readonly state: BoardState;
}

/** `stuck`: long at one step, with attempts; `idle`: there, but nothing is done; `away`: no sign of life. */
export type BoardState = "working" | "stuck" | "idle" | "away" | "new";

export interface Board {
  readonly class: Class;
  readonly rows: readonly BoardRow[];
  readonly at: number;
}

export const message = Type.Object({ to: nothingOr(id), text: lines(1000) }, closed);
export type Message = Static<typeof message>;

export interface ReceivedMessage {
  readonly id: string;
  readonly text: string;
  readonly from: string;
  readonly at: number;
}

/** A run as the server holds it: a learner's own, to go on elsewhere, or one that a teacher opens. */
export interface HeldRun {
  readonly lab: string;
  readonly run: Omit<RunPart, "from" | "claims" | "writer" | "takesOver">;
  readonly savedAt: number;
  /** The browser that has sent it; null where that was not written down yet. */
  readonly writer: string | null;
  /** Another number after each part. */
  readonly revision: number;
}

export interface LearnerDetail {
  readonly id: string;
  readonly name: string;
  readonly joinedAt: number;
  readonly seenAt: number;
  readonly work: Work;
  readonly results: readonly Result[];
  readonly runs: readonly { readonly lab: string; readonly savedAt: number; readonly entries: number }[];
}

/** Per step of a lab: how the class fared. */
export interface StepFigures {
  readonly lab: string;
  readonly step: string;
  /** Learners who reached it, and who passed it. */
  readonly reached: number;
  readonly passed: number;
  readonly medianMs: number | null;
  readonly attempts: number;
  readonly hints: number;
  /** Learners who went away at it and have not come back for an hour. */
  readonly leftAt: number;
}

// Exams

export const newExam = Type.Object(
  {
    title: name(120),
    labs: Type.Array(slug, { minItems: 1, maxItems: 20, uniqueItems: true }),
    opensAt: time,
    closesAt: time,
    /** From when a learner begins; no longer than until the exam closes. */
    minutes: Type.Integer({ minimum: 1, maximum: 600 }),
  },
  closed,
);
export type NewExam = Static<typeof newExam>;

export interface Exam extends NewExam {
  readonly id: string;
}

/** An exam as a learner is told of it. Each lab begins from a seed that the server has drawn for this learner. */
export interface OwnExam extends Exam {
  /** When it was told. */
  readonly at: number;
  /** Null until the learner begins. */
  readonly sitting: { readonly begunAt: number; readonly endsAt: number; readonly seeds: Readonly<Record<string, number>> } | null;
  /** By lab, as the server's replays have it. */
  readonly results: readonly Result[];
}

/** One learner's exam, as the server's replays have it. */
export interface ExamRow {
  readonly learner: string;
  readonly name: string;
  readonly begunAt: number | null;
  readonly endsAt: number | null;
  readonly results: readonly Result[];
  readonly runs: readonly { readonly lab: string; readonly savedAt: number }[];
}

export interface ExamResults {
  readonly exam: Exam;
  readonly rows: readonly ExamRow[];
  readonly at: number;
}

/** Something that happened in a class, told to a teacher's open page. */
export interface ClassHappening {
  readonly kind:
    | "presence"
    | "work"
    | "results"
    | "message"
    | "plan"
    | "exam"
    | "gone" /** Another browser of the learner's goes on with a run. */
    | "run";
  /** Null: it is about all. */
  readonly learner: string | null;
}

// Ends of accounts, and of what is kept

/** A teacher ends another one's account, and says the own password. */
export const teacherEnd = Type.Object({ password: ownPassword }, closed);

/** A learner has everything deleted that is kept of them, and says the own word; null of who has none and has just come from the
 * learning platform. */
export const ownEnd = Type.Object({ word: nothingOr(Type.String({ maxLength: 100 })) }, closed);

export interface TeacherAccount {
  readonly id: string;
  readonly name: string;
  readonly madeAt: number;
  /** The one that asks. */
  readonly isThis: boolean;
}

/** After how many days something goes by itself; null: it stays. */
export interface Keeping {
  /** A run, since it was last added to. What it reached stays. */
  readonly runsDays: number | null;
  /** A learner with all that is kept of them, since the last sign of life; a message, since it was sent. */
  readonly learnersDays: number | null;
  /** A line of the audit log. */
  readonly auditDays: number | null;
}

/** What of a class goes next, if nothing comes in between; null: nothing. */
export interface ClassKeeping extends Keeping {
  readonly nextRunAt: number | null;
  readonly nextLearnerAt: number | null;
}

// Records

/** What a certificate is to tell: labs of lessons, and exams that are over. */
export const newCertificate = Type.Object(
  {
    locale,
    labs: Type.Array(slug, { maxItems: 300, uniqueItems: true }),
    exams: Type.Array(id, { maxItems: 100, uniqueItems: true }),
  },
  closed,
);
export type NewCertificate = Static<typeof newCertificate>;

/** What a certificate tells, as it was signed. */
export interface CertificateText {
  readonly learner: string;
  readonly school: string;
  readonly name: string;
  readonly description: string;
  readonly criteria: string;
  readonly locale: "fr" | "zh" | "ja" | "es";
  /** When the first and the last of it was reached. */
  readonly from: number;
  readonly until: number;
  readonly madeAt: number;
  readonly items: readonly {
    readonly kind: "lab" | "exam";
    readonly title: string;
    readonly points: number;
    /** Undefined where the course knows no more what it was worth. */
    readonly most?: number;
  }[];
}

/**
 * `old-key`: good; the school signs with another key by now. `gone`: signed here, but no longer kept, as when a learner was removed.
 * `changed`: not what was signed. `foreign`: by a key that is not this school's. `unknown`: no such code.
 */
export type CheckedCertificate =
  | {
      readonly state: "good" | "old-key" | "withdrawn" | "gone";
      readonly code: string;
      readonly credential: string;
      readonly text: CertificateText;
      readonly withdrawnAt: number | null;
    }
  | { readonly state: "unreadable" | "foreign" | "changed" | "unknown" };

/** A JSON Web Token; JSON around it would not make it longer than this. */
export const givenCredential = Type.Object({ credential: Type.String({ maxLength: 200_000 }) }, closed);

export interface HeldCertificate {
  readonly code: string;
  readonly locale: "fr" | "zh" | "ja" | "es";
  readonly madeAt: number;
  readonly withdrawnAt: number | null;
}

/** What a learner has reached that a certificate can tell, and the certificates there are. */
export interface CertificateRow {
  readonly learner: string;
  readonly name: string;
  readonly labs: readonly { readonly lab: string; readonly points: number }[];
  readonly exams: readonly { readonly id: string; readonly title: string; readonly points: number }[];
  readonly certificates: readonly HeldCertificate[];
}

/** How it stands between a class and the learning platforms that lead to it. */
export interface LtiState {
  /** Platforms are registered with this server. */
  readonly isOffered: boolean;
  /** Courses of platforms that are this class. */
  readonly courses: readonly { readonly platform: string; readonly title: string }[];
  /** Scores that their gradebooks have, and that they have not yet. */
  readonly sent: number;
  readonly waiting: number;
  /** `target`: "lab NAME", "exam ID", or "" for the class. */
  readonly troubles: readonly {
    readonly name: string;
    readonly target: string;
    readonly isGivenUp: boolean;
    readonly trouble: string;
  }[];
}

/** Every refusal: a word for programs, and what people may read of it is the page's own. */
export interface Refusal {
  readonly error: RefusalWord;
  readonly detail?: string;
}

export type RefusalWord =
  | "bad-request"
  | "unknown-code"
  | "class-closed"
  | "class-full"
  | "name-taken"
  | "wrong-password"
  /** A new password that many people have, and one of the teacher's or the product's name and little else. */
  | "common-password"
  | "guessable-password"
  | "bad-invitation"
  | "not-signed-in"
  | "forbidden"
  | "not-found"
  | "changed-meanwhile"
  | "gap"
  /** A part of a run that another browser of the learner's goes on with. */
  | "elsewhere"
  | "too-large"
  | "too-many-requests"
  /** An exam before its time, and after; after it, too, a launch that is to stand for a word or password. */
  | "not-open"
  | "over"
  | "unavailable"
  | "failed";
