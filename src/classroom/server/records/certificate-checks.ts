// Whether a certificate holds, for whoever has been shown one: by its code, or by the credential itself.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type CheckedCertificate, givenCredential } from "../../wire.ts";
import { codeKey } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import { readCredential } from "./credential.ts";
import { rootOf } from "./routes.ts";
import { withdrawnAt, withdrawnCodes } from "./withdrawn.ts";

const codeParameter = Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }) });

export function checkRoutes(app: FastifyInstance, services: Services): void {
  const { database, failures } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "anyone" } as const;

  api.get("/certificates/:code", { config, schema: { params: codeParameter } }, async (request): Promise<CheckedCertificate> => {
    const code = codeKey(request.params.code);
    const row = await database.selectFrom("certificates").select("credential").where("code", "=", code).executeTakeFirst();
    if (row === undefined) {
      failures.check(`certificate ${request.ip}`);
      failures.note(`certificate ${request.ip}`);
      return { state: "unknown" };
    }
    return check(services, row.credential);
  });

  api.post("/certificates/check", { config, schema: { body: givenCredential } }, (request) =>
    check(services, request.body.credential.trim()),
  );

  /** As 1EdTech's revocation lists are, for other programs that check. */
  api.get("/withdrawn-certificates", { config }, async (request) => {
    const root = rootOf(services, request);
    const codes = await withdrawnCodes(database);
    const revokedCredential = codes.map((code) => ({ id: `${root}api/certificates/${code}`, revoked: true }));
    return { id: `${root}api/withdrawn-certificates`, issuer: root, revokedCredential };
  });
}

async function check({ database, keys }: Services, credential: string): Promise<CheckedCertificate> {
  const read = await readCredential(credential, keys);
  if (read.kind !== "signed") return { state: read.kind };
  const { code, text, key } = read;
  const row = await database
    .selectFrom("certificates")
    .select(["credential", "withdrawn_at"])
    .where("code", "=", code)
    .executeTakeFirst();
  const withdrawn = row === undefined ? await withdrawnAt(database, code) : row.withdrawn_at;
  const told = { code, credential, text, withdrawnAt: withdrawn ?? null };
  if (told.withdrawnAt !== null) return { state: "withdrawn", ...told };
  if (row === undefined) return { state: "gone", ...told };
  return { state: key.retiredAt === null ? "good" : "old-key", ...told };
}
