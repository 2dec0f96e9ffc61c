// The classroom's tables. Ids are random; times are milliseconds since the epoch; JSON is kept as text, so that both
// databases hold the same.

import type { RecordTables } from "./records-tables.ts";

export interface Tables extends RecordTables {
  teachers: {
    id: string;
    name: string;
    /** `name` as compared: no two teachers have the same. */
    name_key: string;
    password: string;
    made_at: number;
  };
  invitations: { token_hash: string; made_at: number; expires_at: number; by_teacher: string | null };
  classes: {
    id: string;
    name: string;
    locale: string;
    code: string;
    /** JSON, `plan` in wire.ts. */
    plan: string;
    is_open: number;
    revision: number;
    by_teacher: string;
    made_at: number;
  };
  learners: {
    id: string;
    class_id: string;
    name: string;
    name_key: string;
    word: string;
    joined_at: number;
    seen_at: number;
  };
  sessions: {
    token_hash: string;
    role: "teacher" | "learner";
    /** Of the teacher or learner. */
    person: string;
    made_at: number;
    used_at: number;
    expires_at: number;
  };
  work: { learner_id: string; lesson: string /** JSON, `lessonWork`. */; done: string; changed_at: number };
  last_places: { learner_id: string; place: string };
  presences: {
    learner_id: string;
    class_id: string;
    /** JSON, `presence`. */
    presence: string;
    step_since: number;
    seen_at: number;
  };
  /** One run of a lab by a learner: the newest; `exam_id` is "" outside exams. */
  runs: {
    id: string;
    learner_id: string;
    lab: string;
    exam_id: string;
    seed: number;
    start_ms: number;
    now_ms: number;
    format: number;
    world: string | null;
    held: number;
    hints: string;
    solutions: string;
    saved_at: number;
    /** 1 while a step that is said to have passed has not been looked at. */
    claimed: number;
    /** The learner's browser that sent the newest part; null of what was kept before this was written down. */
    writer: string | null;
    /** Grows with each part. */
    revision: number;
  };
  /** A piece of a run's journal: entries from the number `first` on, as packed JSON. */
  run_pieces: { run_id: string; first: number; count: number; entries: Uint8Array };
  /** A step that the server's own world reached. */
  results: {
    learner_id: string;
    lab: string;
    exam_id: string;
    step: string;
    points: number;
    hints: number;
    /** Virtual milliseconds from the step's opening to its pass. */
    took_ms: number;
    passed_at: number;
  };
  /** Why the newest submission of a run was not taken. */
  refusals: { learner_id: string; lab: string; exam_id: string; reason: string; at: number };
  /** What a learner did at a step, summed up for a teacher's figures. */
  efforts: {
    learner_id: string;
    lab: string;
    step: string;
    attempts: number;
    hints: number;
    first_at: number;
    last_at: number;
  };
  messages: {
    id: string;
    class_id: string;
    /** Null: to all. */
    learner_id: string | null;
    from_teacher: string;
    text: string;
    sent_at: number;
  };
  exams: {
    id: string;
    class_id: string;
    title: string;
    /** JSON, names of labs. */
    labs: string;
    opens_at: number;
    closes_at: number;
    minutes: number;
  };
  /** A learner who has begun an exam. */
  sittings: {
    exam_id: string;
    learner_id: string;
    /** JSON, by lab. */
    seeds: string;
    begun_at: number;
    ends_at: number;
  };
  audit: { id: string; at: number; who: string; what: string; about: string; address: string };
}
