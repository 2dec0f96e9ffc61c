// Learning platforms that may launch the course: a JSON file of the school's, an array of what each platform tells its administrator.

import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

const line = Type.String({ minLength: 1, maxLength: 255, pattern: "^[^\\p{Cc}\\p{Cs}]+$" });
const address = Type.String({ minLength: 1, maxLength: 1000 });

export const platformShape = Type.Object(
  {
    /** As teachers read it. */
    name: line,
    /** The platform's own id (`iss`). */
    issuer: line,
    /** What the platform calls this server (`client_id`). */
    clientId: line,
    /** Ids of its deployments (`deployment_id`); launches of others are refused. */
    deployments: Type.Array(line, { minItems: 1, maxItems: 100, uniqueItems: true }),
    /** Where it says who somebody is: the authentication request URL. */
    login: address,
    /** Where it gives access tokens. */
    token: address,
    /** Its public keys, a JWKS. */
    keys: address,
    /** Whom assertions for tokens are for; else `token`. */
    audience: Type.Optional(line),
    /** Origins whose pages may show ours in a frame; else the one of `login`. */
    frames: Type.Optional(Type.Array(address, { minItems: 1, maxItems: 20 })),
  },
  { additionalProperties: false },
);
export type Platform = Static<typeof platformShape>;

/** As the database names a platform. */
export function platformId({ issuer, clientId }: Pick<Platform, "issuer" | "clientId">): string {
  return `${issuer} ${clientId}`;
}

/** HTTPS; without it only on this machine, for trials. */
export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname));
}

export function framesOf({ frames, login }: Platform): readonly string[] {
  return [...new Set((frames ?? [login]).map((one) => new URL(one).origin))];
}

/** Throws an Error whose message is the one sentence to print. */
export function readPlatforms(text: string, file: string): readonly Platform[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${(error as Error).message}`);
  }
  const shape = Type.Array(platformShape, { minItems: 1, maxItems: 100 });
  if (!Value.Check(shape, given)) {
    const [first] = Value.Errors(shape, given);
    const sentence = first?.keyword === "boolean" ? "is no field of a platform" : (first?.message ?? "is not as it should be");
    throw new Error(`${file}: ${first?.instancePath ?? ""} ${sentence}`);
  }
  for (const platform of given)
    for (const one of [platform.login, platform.token, platform.keys, ...(platform.frames ?? [])])
      if (!isSafeAddress(one)) throw new Error(`${file}: ${one} is no address with https://`);
  const ids = given.map(platformId);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new Error(`${file}: the platform ${twice} stands there twice`);
  return given;
}
