// What the routes work with.

import type { FastifyBaseLogger } from "fastify";
import type { Keeping } from "../wire.ts";
import type { Bus } from "./bus.ts";
import type { Course } from "./course.ts";
import type { Platform } from "./lti/platforms.ts";
import type { ScoreSender } from "./lti/score-sender.ts";
import type { Failures } from "./people/failures.ts";
import type { Cost } from "./people/secrets.ts";
import type { Sessions } from "./people/sessions.ts";
import type { SigningKeys } from "./records/signing-keys.ts";
import type { Database } from "./storage/open.ts";
import type { Results } from "./study/results.ts";

export interface Services {
  readonly database: Database;
  readonly now: () => number;
  readonly sessions: Sessions;
  readonly failures: Failures;
  readonly bus: Bus;
  readonly results: Results;
  readonly log: FastifyBaseLogger;
  readonly keeping: Keeping;
  readonly course: Course;
  /** As people reach the server, without a path; undefined: as the request has it. */
  readonly origin: string | undefined;
  /** The site's path, with a slash at its end. */
  readonly base: string;
  readonly keys: SigningKeys;
  /** The school's name, as certificates have it. */
  readonly school: string | undefined;
  /** Learning platforms that may launch the course. */
  readonly platforms: readonly Platform[];
  readonly scores: ScoreSender;
  /** What the hashes of teachers' passwords and learners' words cost. */
  readonly costs: { readonly teacher: Cost; readonly learner: Cost };
}
