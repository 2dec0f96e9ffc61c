// Where everybody finds the keys that check what this server has signed: `/.well-known/jwks.json`, and each by itself.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { found } from "../http/refusals.ts";
import type { Services } from "../services.ts";

const keyParameter = Type.Object({ key: Type.String({ pattern: "^[A-Za-z0-9_-]{1,100}$" }) });
/** A new key is known everywhere after this time. */
const maxAgeSeconds = 300;

/** Below `.well-known/`. */
export function keySetRoute(app: FastifyInstance, { keys }: Services): void {
  app.get("/jwks.json", { config: { for: "anyone" } }, async (_request, reply) => {
    void reply.type("application/jwk-set+json").header("cache-control", `public, max-age=${maxAgeSeconds}`);
    return JSON.stringify(await keys.publicSet());
  });
}

export function keyRoute(app: FastifyInstance, { keys }: Services): void {
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  api.get("/keys/:key", { config: { for: "anyone" }, schema: { params: keyParameter } }, async (request) => {
    const { jwk } = found(await keys.find(request.params.key));
    return jwk;
  });
}
