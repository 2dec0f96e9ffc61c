// The audit log: who did what to whom, from where. In the database and, as a line, in the server's log.

import type { FastifyRequest } from "fastify";
import { newId } from "./people/secrets.ts";
import type { Services } from "./services.ts";

export type AuditedAct =
  | "teacher-came"
  | "teacher-signed-in"
  | "sign-in-failed"
  | "teacher-invited"
  | "password-changed"
  | "sessions-ended"
  | "learner-joined"
  | "learner-came-back"
  | "word-wrong"
  | "word-reset"
  | "learner-removed"
  | "class-made"
  | "class-changed"
  | "class-removed"
  | "run-opened"
  | "data-exported"
  | "exam-made"
  | "exam-removed"
  | "exam-begun"
  | "teacher-removed"
  | "data-taken"
  | "learner-left"
  | "deleted-by-age"
  | "launched"
  | "launch-refused"
  | "link-chosen"
  | "certificate-made"
  | "certificate-withdrawn";

export async function audit(
  { database, now, log }: Services,
  request: FastifyRequest,
  what: AuditedAct,
  about: string,
): Promise<void> {
  const who = request.person === undefined ? "" : `${request.person.role} ${request.person.id}`;
  log.info({ audit: what, who, about, address: request.ip });
  await database.insertInto("audit").values({ id: newId(), at: now(), who, what, about, address: request.ip }).execute();
}
