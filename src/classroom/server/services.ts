// What the routes work with.

import type { FastifyBaseLogger } from "fastify";
import type { Keeping } from "../wire.ts";
import type { Bus } from "./bus.ts";
import type { Failures } from "./people/failures.ts";
import type { Cost } from "./people/secrets.ts";
import type { Sessions } from "./people/sessions.ts";
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
  /** What the hashes of teachers' passwords and learners' words cost. */
  readonly costs: { readonly teacher: Cost; readonly learner: Cost };
}
