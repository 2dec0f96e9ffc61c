// The schema, step by step. A step that has been released is never changed; new ones are added at the end.

import { type Kysely, sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";

/** What differs between the databases. */
export interface Dialect {
  /** The type of whole numbers up to 2^53. */
  readonly whole: "integer" | "bigint";
  readonly bytes: "blob" | "bytea";
}

function first({ whole, bytes }: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>): Promise<void> {
      const table = (name: string, columns: string): Promise<unknown> =>
        sql.raw(`create table ${name} (${columns})`).execute(database);
      const index = (name: string, on: string): Promise<unknown> => sql.raw(`create index ${name} on ${on}`).execute(database);
      const ofLearner = "learner_id text not null references learners (id) on delete cascade";
      const ofClass = "class_id text not null references classes (id) on delete cascade";
      await table(
        "teachers",
        `id text primary key, name text not null, name_key text not null unique, password text not null, made_at ${whole} not null`,
      );
      await table(
        "invitations",
        `token_hash text primary key, made_at ${whole} not null, expires_at ${whole} not null, by_teacher text references teachers (id) on delete cascade`,
      );
      await table(
        "classes",
        `id text primary key, name text not null, locale text not null, code text not null unique, plan text not null,
         is_open integer not null, revision integer not null, by_teacher text not null references teachers (id), made_at ${whole} not null`,
      );
      await table(
        "learners",
        `id text primary key, ${ofClass}, name text not null, name_key text not null, word text not null,
         joined_at ${whole} not null, seen_at ${whole} not null, unique (class_id, name_key)`,
      );
      await table(
        "sessions",
        `token_hash text primary key, role text not null, person text not null, made_at ${whole} not null,
         used_at ${whole} not null, expires_at ${whole} not null`,
      );
      await index("sessions_by_person", "sessions (person)");
      await table(
        "work",
        `${ofLearner}, lesson text not null, done text not null, changed_at ${whole} not null, primary key (learner_id, lesson)`,
      );
      await table("last_places", `learner_id text primary key references learners (id) on delete cascade, place text not null`);
      await table(
        "presences",
        `learner_id text primary key references learners (id) on delete cascade, ${ofClass}, presence text not null,
         step_since ${whole} not null, seen_at ${whole} not null`,
      );
      await index("presences_by_class", "presences (class_id, seen_at)");
      await table(
        "runs",
        `id text primary key, ${ofLearner}, lab text not null, exam_id text not null, seed ${whole} not null, start_ms ${whole} not null,
         now_ms ${whole} not null, format integer not null, world text, held integer not null, hints text not null,
         solutions text not null, saved_at ${whole} not null, unique (learner_id, lab, exam_id)`,
      );
      await table(
        "run_pieces",
        `run_id text not null references runs (id) on delete cascade, first integer not null, count integer not null,
         entries ${bytes} not null, primary key (run_id, first)`,
      );
      await table(
        "results",
        `${ofLearner}, lab text not null, exam_id text not null, step text not null, points integer not null, hints integer not null,
         took_ms ${whole} not null, passed_at ${whole} not null, primary key (learner_id, lab, exam_id, step)`,
      );
      await table(
        "refusals",
        `${ofLearner}, lab text not null, exam_id text not null, reason text not null, at ${whole} not null,
         primary key (learner_id, lab, exam_id)`,
      );
      await table(
        "efforts",
        `${ofLearner}, lab text not null, step text not null, attempts integer not null, hints integer not null,
         first_at ${whole} not null, last_at ${whole} not null, primary key (learner_id, lab, step)`,
      );
      await table(
        "messages",
        `id text primary key, ${ofClass}, learner_id text references learners (id) on delete cascade,
         from_teacher text not null, text text not null, sent_at ${whole} not null`,
      );
      await index("messages_by_class", "messages (class_id, sent_at)");
      await table(
        "exams",
        `id text primary key, ${ofClass}, title text not null, labs text not null, opens_at ${whole} not null,
         closes_at ${whole} not null, minutes integer not null`,
      );
      await table(
        "sittings",
        `exam_id text not null references exams (id) on delete cascade, ${ofLearner}, seeds text not null,
         begun_at ${whole} not null, ends_at ${whole} not null, primary key (exam_id, learner_id)`,
      );
      await table(
        "audit",
        `id text primary key, at ${whole} not null, who text not null, what text not null, about text not null, address text not null`,
      );
      await index("audit_by_time", "audit (at)");
    },
  };
}

export function migrationsFor(dialect: Dialect): MigrationProvider {
  return { getMigrations: () => Promise.resolve({ "0001-first": first(dialect) }) };
}
