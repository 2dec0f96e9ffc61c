// The schema, step by step. A step that has been released is never changed; new ones are added at the end.

import { type Kysely, sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";
import { recordStatements } from "./records-tables.ts";

/** What differs between the databases. */
export interface Dialect {
  /** The type of whole numbers up to 2^53. */
  readonly whole: "integer" | "bigint";
  readonly bytes: "blob" | "bytea";
}

const ofLearner = "learner_id text not null references learners (id) on delete cascade";
const ofClass = "class_id text not null references classes (id) on delete cascade";

const people = ({ whole }: Dialect): readonly string[] => [
  `create table teachers (id text primary key, name text not null, name_key text not null unique, password text not null,
     made_at ${whole} not null)`,
  `create table invitations (token_hash text primary key, made_at ${whole} not null, expires_at ${whole} not null,
     by_teacher text references teachers (id) on delete cascade)`,
  `create table classes (id text primary key, name text not null, locale text not null, code text not null unique, plan text not null,
     is_open integer not null, revision integer not null, by_teacher text not null references teachers (id), made_at ${whole} not null)`,
  `create table learners (id text primary key, ${ofClass}, name text not null, name_key text not null, word text not null,
     joined_at ${whole} not null, seen_at ${whole} not null, unique (class_id, name_key))`,
  `create table sessions (token_hash text primary key, role text not null, person text not null, made_at ${whole} not null,
     used_at ${whole} not null, expires_at ${whole} not null)`,
  "create index sessions_by_person on sessions (person)",
  `create table audit (id text primary key, at ${whole} not null, who text not null, what text not null, about text not null,
     address text not null)`,
  "create index audit_by_time on audit (at)",
];

const study = ({ whole, bytes }: Dialect): readonly string[] => [
  `create table work (${ofLearner}, lesson text not null, done text not null, changed_at ${whole} not null,
     primary key (learner_id, lesson))`,
  "create table last_places (learner_id text primary key references learners (id) on delete cascade, place text not null)",
  `create table presences (learner_id text primary key references learners (id) on delete cascade, ${ofClass},
     presence text not null, step_since ${whole} not null, seen_at ${whole} not null)`,
  "create index presences_by_class on presences (class_id, seen_at)",
  `create table runs (id text primary key, ${ofLearner}, lab text not null, exam_id text not null, seed ${whole} not null,
     start_ms ${whole} not null, now_ms ${whole} not null, format integer not null, world text, held integer not null,
     hints text not null, solutions text not null, saved_at ${whole} not null, claimed integer not null, unique (learner_id, lab, exam_id))`,
  "create index runs_by_claim on runs (claimed)",
  `create table run_pieces (run_id text not null references runs (id) on delete cascade, first integer not null,
     count integer not null, entries ${bytes} not null, primary key (run_id, first))`,
  `create table results (${ofLearner}, lab text not null, exam_id text not null, step text not null, points integer not null,
     hints integer not null, took_ms ${whole} not null, passed_at ${whole} not null, primary key (learner_id, lab, exam_id, step))`,
  `create table refusals (${ofLearner}, lab text not null, exam_id text not null, reason text not null, at ${whole} not null,
     primary key (learner_id, lab, exam_id))`,
  `create table efforts (${ofLearner}, lab text not null, step text not null, attempts integer not null, hints integer not null,
     first_at ${whole} not null, last_at ${whole} not null, primary key (learner_id, lab, step))`,
];

const teaching = ({ whole }: Dialect): readonly string[] => [
  `create table messages (id text primary key, ${ofClass}, learner_id text references learners (id) on delete cascade,
     from_teacher text not null, text text not null, sent_at ${whole} not null)`,
  "create index messages_by_class on messages (class_id, sent_at)",
  `create table exams (id text primary key, ${ofClass}, title text not null, labs text not null, opens_at ${whole} not null,
     closes_at ${whole} not null, minutes integer not null)`,
  `create table sittings (exam_id text not null references exams (id) on delete cascade, ${ofLearner}, seeds text not null,
     begun_at ${whole} not null, ends_at ${whole} not null, primary key (exam_id, learner_id))`,
];

const writers = ["alter table runs add column writer text", "alter table runs add column revision integer not null default 0"];

function made(statements: readonly string[]): Migration {
  return {
    async up(database: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(statement).execute(database);
    },
  };
}

export function migrationsFor(dialect: Dialect): MigrationProvider {
  const first = [people, study, teaching].flatMap((part) => part(dialect));
  const steps = {
    "0001-first": made(first),
    "0002-records": made(recordStatements(dialect)),
    "0003-writers": made(writers),
  };
  return { getMigrations: () => Promise.resolve(steps) };
}
