// Tables of what a class takes away: when work was first said to be done, keys, certificates, what learning platforms are told.

export interface RecordTables {
  /** When the server was first told that something in a lesson was done: `what` is "done", or "q" and a question's number. */
  milestones: { learner_id: string; lesson: string; what: string; at: number };
  /** Pairs of keys, as JSON Web Keys. Of each use the one that is not retired signs; the others' signatures still hold. */
  signing_keys: {
    id: string;
    use: "certificates" | "lti";
    private_jwk: string;
    public_jwk: string;
    made_at: number;
    retired_at: number | null;
  };
  certificates: {
    /** Short, to be typed. */
    code: string;
    learner_id: string;
    locale: string;
    /** The signed credential, a JSON Web Token. */
    credential: string;
    made_at: number;
    by_teacher: string;
    withdrawn_at: number | null;
  };
  /** Codes of certificates that were withdrawn and are no longer kept: other programs go on being told of them. */
  withdrawn_certificates: { code: string; withdrawn_at: number };
  /** What is to be used once and soon: by the hash of its token. */
  lti_flows: { token_hash: string; kind: "login" | "entry" | "choice" /** JSON. */; data: string; expires_at: number };
  /** A course of a platform, and its class. `platform` is "issuer client", as in lti/platforms.ts. */
  lti_contexts: { platform: string; deployment: string; context: string; class_id: string; title: string };
  lti_learners: {
    platform: string;
    subject: string;
    class_id: string;
    learner_id: string;
    /** Whether anybody knows the learner's word: only where a teacher has told one. */
    has_word: number;
  };
  lti_teachers: { platform: string; subject: string; teacher_id: string };
  /** A column of a platform's gradebook; `target` is "" for the whole class, "lab NAME" or "exam ID". */
  lti_line_items: { url: string; platform: string; class_id: string; target: string };
  /** What a learner's cell should hold, and whether it does. */
  lti_scores: {
    line_item: string;
    learner_id: string;
    given: number;
    most: number;
    /** When this score came to be, as the platform is told. No two of a cell have the same. */
    scored_at: number;
    /** `scored_at` of the newest that the platform has taken. */
    sent_scored_at: number | null;
    /** When it is to be tried next; null: it was taken, or given up. */
    due_at: number | null;
    tries: number;
    /** Why the last try failed. */
    trouble: string | null;
  };
}

const ofLearner = "learner_id text not null references learners (id) on delete cascade";
const ofClass = "class_id text not null references classes (id) on delete cascade";

/** `whole`: the type of whole numbers. */
export const recordStatements = ({ whole }: { readonly whole: "integer" | "bigint" }): readonly string[] => [
  `create table milestones (${ofLearner}, lesson text not null, what text not null, at ${whole} not null,
     primary key (learner_id, lesson, what))`,
  `create table signing_keys (id text primary key, use text not null, private_jwk text not null, public_jwk text not null,
     made_at ${whole} not null, retired_at ${whole})`,
  "create unique index signing_keys_in_use on signing_keys (use) where retired_at is null",
  `create table certificates (code text primary key, ${ofLearner}, locale text not null, credential text not null,
     made_at ${whole} not null, by_teacher text not null, withdrawn_at ${whole})`,
  "create index certificates_by_learner on certificates (learner_id)",
  `create table withdrawn_certificates (code text primary key, withdrawn_at ${whole} not null)`,
  `create table lti_flows (token_hash text primary key, kind text not null, data text not null, expires_at ${whole} not null)`,
  `create table lti_contexts (platform text not null, deployment text not null, context text not null, ${ofClass}, title text not null,
     primary key (platform, deployment, context))`,
  `create table lti_learners (platform text not null, subject text not null, ${ofClass}, ${ofLearner},
     has_word integer not null, primary key (platform, subject, class_id))`,
  "create index lti_learners_by_learner on lti_learners (learner_id)",
  `create table lti_teachers (platform text not null, subject text not null,
     teacher_id text not null references teachers (id) on delete cascade, primary key (platform, subject))`,
  `create table lti_line_items (url text primary key, platform text not null, ${ofClass}, target text not null)`,
  `create table lti_scores (line_item text not null references lti_line_items (url) on delete cascade, ${ofLearner}, given integer not null,
     most integer not null, scored_at ${whole} not null, sent_scored_at ${whole}, due_at ${whole}, tries integer not null, trouble text,
     primary key (line_item, learner_id))`,
  "create index lti_scores_by_time on lti_scores (due_at)",
];
