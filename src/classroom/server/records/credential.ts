// A certificate as an Open Badges 3.0 credential: a W3C Verifiable Credential in a JSON Web Token, whose payload is the credential itself
// (Open Badges 3.0, 8.2). What it tells is read back from what was signed, never from the database.

import { compactVerify, decodeProtectedHeader, errors, importJWK, type JWTPayload } from "jose";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { type Locale, languageTags } from "../../../i18n/locales.ts";
import type { CertificateText } from "../../wire.ts";
import { fill, wordsIn } from "../words.ts";
import type { PublicKey, SigningKeys } from "./signing-keys.ts";
import { uuidOf } from "./uuid.ts";

export interface CertificateItem {
  readonly kind: "lab" | "exam";
  readonly id: string;
  readonly title: string;
  readonly points: number;
  readonly most: number | undefined;
  readonly from: number;
  readonly until: number;
}

interface CredentialOptions {
  /** The site's address, with a slash at its end. */
  readonly root: string;
  readonly code: string;
  readonly school: string;
  readonly learner: string;
  readonly locale: Locale;
  readonly madeAt: number;
  readonly items: readonly CertificateItem[];
}

const time = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$" });
const number = Type.String({ pattern: "^\\d{1,9}$" });
const shape = Type.Object({
  id: Type.String(),
  validFrom: time,
  issuer: Type.Object({ name: Type.String() }),
  credentialSubject: Type.Object({
    identifier: Type.Array(Type.Object({ identityHash: Type.String() }), { minItems: 1 }),
    activityStartDate: time,
    activityEndDate: time,
    achievement: Type.Object({
      name: Type.String(),
      description: Type.String(),
      criteria: Type.Object({ narrative: Type.String() }),
      inLanguage: Type.String(),
      resultDescription: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), valueMax: Type.Optional(number) })),
    }),
    result: Type.Array(Type.Object({ resultDescription: Type.String(), value: number })),
  }),
});

export function credentialOf({ root, code, school, learner, locale, madeAt, items }: CredentialOptions): JWTPayload {
  const words = wordsIn(locale).credential;
  const at = (timeMs: number): string => new Date(timeMs).toISOString();
  const id = `${root}api/certificates/${code}`;
  const named = (item: CertificateItem): string => `${root}${item.kind}s/${item.id}`;
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: words.name,
    issuer: { id: root, type: ["Profile"], name: school, url: root },
    validFrom: at(madeAt),
    credentialSubject: {
      type: ["AchievementSubject"],
      identifier: [{ type: "IdentityObject", identityType: "name", hashed: false, identityHash: learner }],
      activityStartDate: at(Math.min(...items.map(({ from }) => from))),
      activityEndDate: at(Math.max(...items.map(({ until }) => until))),
      achievement: {
        id: `urn:uuid:${uuidOf(`${root}achievements/${locale}`)}`,
        type: ["Achievement"],
        achievementType: "Certificate",
        name: words.name,
        description: fill(words.description, { school }),
        criteria: { narrative: words.criteria },
        inLanguage: languageTags[locale],
        resultDescription: items.map((item) => ({
          id: named(item),
          type: ["ResultDescription"],
          name: item.title,
          resultType: "RawScore",
          valueMin: "0",
          ...(item.most === undefined ? {} : { valueMax: String(item.most) }),
        })),
      },
      result: items.map((item) => ({ type: ["Result"], resultDescription: named(item), value: String(item.points) })),
    },
    credentialStatus: { id: `${root}api/withdrawn-certificates`, type: "1EdTechRevocationList" },
    iss: root,
    jti: id,
    nbf: Math.floor(madeAt / 1000),
  };
}

export type ReadCredential =
  | { readonly kind: "signed"; readonly code: string; readonly text: CertificateText; readonly key: PublicKey }
  | { readonly kind: "unreadable" | "foreign" | "changed" };

/** Whoever's it is and whatever it was made of. */
export async function readCredential(token: string, keys: SigningKeys): Promise<ReadCredential> {
  let kid: unknown;
  try {
    ({ kid } = decodeProtectedHeader(token));
  } catch {
    return { kind: "unreadable" };
  }
  const key = typeof kid === "string" ? await keys.find(kid.split("/").at(-1) ?? "") : undefined;
  if (key?.use !== "certificates") return { kind: "foreign" };
  try {
    const { payload } = await compactVerify(token, await importJWK(key.jwk), { algorithms: ["ES256"] });
    const told: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
    // Nothing else is signed with these keys.
    if (!Value.Check(shape, told)) return { kind: "unreadable" };
    return { kind: "signed", key, ...toldBy(told) };
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return { kind: "changed" };
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return { kind: "unreadable" };
    throw error;
  }
}

function toldBy({ id, validFrom, issuer, credentialSubject }: Type.Static<typeof shape>): {
  readonly code: string;
  readonly text: CertificateText;
} {
  const { identifier, achievement, result, activityStartDate, activityEndDate } = credentialSubject;
  const pointsOf = new Map(result.map(({ resultDescription, value }) => [resultDescription, Number(value)]));
  const text: CertificateText = {
    learner: identifier[0]?.identityHash ?? "",
    school: issuer.name,
    name: achievement.name,
    description: achievement.description,
    criteria: achievement.criteria.narrative,
    locale: achievement.inLanguage.slice(0, 2) as Locale,
    from: Date.parse(activityStartDate),
    until: Date.parse(activityEndDate),
    madeAt: Date.parse(validFrom),
    items: achievement.resultDescription.map(({ id: item, name, valueMax }) => ({
      kind: item.includes("/exams/") ? "exam" : "lab",
      title: name,
      points: pointsOf.get(item) ?? 0,
      ...(valueMax === undefined ? {} : { most: Number(valueMax) }),
    })),
  };
  return { code: id.split("/").at(-1) ?? "", text };
}
