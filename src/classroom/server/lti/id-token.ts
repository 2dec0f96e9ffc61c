// What a platform says with a launch: who somebody is, in which course, to do what. Only a token that it has signed for us, for this launch
// and just now, says anything.

import { errors, type JWTPayload, jwtVerify } from "jose";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { PlatformTrouble } from "./ask.ts";
import type { PlatformKeys } from "./platform-keys.ts";
import { isSafeAddress, type Platform } from "./platforms.ts";

export type LaunchRefusal =
  | "unknown-platform"
  /** The launch was not begun here, was begun too long ago, or has been used. */
  | "not-begun"
  | "other-browser"
  /** The platform itself said no. */
  | "platform-said-no"
  | "platform-away"
  | "bad-signature"
  | "wrong-audience"
  | "expired"
  | "wrong-nonce"
  | "unknown-deployment"
  | "bad-message"
  | "no-role"
  | "no-course"
  | "class-not-there"
  | "class-closed"
  | "class-full"
  | "too-many";

export class LaunchRefused extends Error {
  readonly reason: LaunchRefusal;

  constructor(reason: LaunchRefusal, detail = "") {
    super(detail === "" ? reason : `${reason}: ${detail}`);
    this.reason = reason;
  }
}

export interface Launch {
  readonly platform: Platform;
  readonly deployment: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly role: "teacher" | "learner";
  readonly course: { readonly id: string; readonly title: string } | undefined;
  /** As the platform's page is, a BCP 47 tag. */
  readonly language: string | undefined;
  /** What the link was made with, "" for none. */
  readonly target: string;
  readonly targetLink: string;
  /** The link's column in the gradebook, where we may write into it. */
  readonly lineItem: string | undefined;
  /** The teacher is to choose what a link leads to. */
  readonly choosing: Choosing | undefined;
}

export interface Choosing {
  readonly returnUrl: string;
  readonly data: string | undefined;
  readonly several: boolean;
}

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const grades = "https://purl.imsglobal.org/spec/lti-ags";
export const scoreScope = `${grades}/scope/score`;
export const deepLinking = "https://purl.imsglobal.org/spec/lti-dl/claim";
const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const algorithms = ["RS256", "RS384", "RS512", "PS256", "ES256"];
const toleranceSeconds = 30;
const oldestSeconds = 3600;

const some = Type.String({ minLength: 1, maxLength: 255 });
const long = Type.String({ maxLength: 4000 });
const shape = Type.Object({
  sub: some,
  nonce: some,
  azp: Type.Optional(Type.Unknown()),
  name: Type.Optional(long),
  given_name: Type.Optional(long),
  family_name: Type.Optional(long),
  locale: Type.Optional(long),
  [`${claim}/version`]: Type.Literal("1.3.0"),
  [`${claim}/message_type`]: Type.Union([Type.Literal("LtiResourceLinkRequest"), Type.Literal("LtiDeepLinkingRequest")]),
  [`${claim}/deployment_id`]: some,
  [`${claim}/roles`]: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 100 }),
  [`${claim}/target_link_uri`]: Type.Optional(long),
  [`${claim}/context`]: Type.Optional(Type.Object({ id: some, title: Type.Optional(long), label: Type.Optional(long) })),
  [`${claim}/custom`]: Type.Optional(Type.Object({ pilothouse: Type.Optional(Type.String({ maxLength: 200 })) })),
  [`${claim}/launch_presentation`]: Type.Optional(Type.Object({ locale: Type.Optional(Type.String({ maxLength: 100 })) })),
  [`${grades}/claim/endpoint`]: Type.Optional(
    Type.Object({ scope: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 50 }), lineitem: Type.Optional(long) }),
  ),
  [`${deepLinking}/deep_linking_settings`]: Type.Optional(
    Type.Object({
      deep_link_return_url: long,
      accept_types: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 50 }),
      accept_multiple: Type.Optional(Type.Boolean()),
      data: Type.Optional(Type.String({ maxLength: 100_000 })),
    }),
  ),
});

interface Expected {
  readonly platform: Platform;
  readonly nonce: string;
  readonly keys: PlatformKeys;
  readonly now: () => number;
}

/** @throws LaunchRefused */
export async function readIdToken(token: string, expected: Expected): Promise<Launch> {
  const payload = await verified(token, expected);
  if (payload["nonce"] !== expected.nonce) throw new LaunchRefused("wrong-nonce");
  if (!Value.Check(shape, payload)) {
    const [first] = Value.Errors(shape, payload);
    throw new LaunchRefused("bad-message", `${first?.instancePath ?? ""} ${first?.message ?? ""}`);
  }
  const { platform } = expected;
  const deployment = payload[`${claim}/deployment_id`];
  if (!platform.deployments.includes(deployment)) throw new LaunchRefused("unknown-deployment");
  const role = roleOf(payload[`${claim}/roles`]);
  if (role === undefined) throw new LaunchRefused("no-role");
  const context = payload[`${claim}/context`];
  const { scope, lineitem } = payload[`${grades}/claim/endpoint`] ?? { scope: [] };
  const settings = payload[`${deepLinking}/deep_linking_settings`];
  const isChoosing = payload[`${claim}/message_type`] === "LtiDeepLinkingRequest";
  return {
    platform,
    deployment,
    subject: payload.sub,
    name: payload.name ?? ([payload.given_name, payload.family_name].filter(Boolean).join(" ") || undefined),
    role,
    course: context && { id: context.id, title: context.title ?? context.label ?? "" },
    language: payload[`${claim}/launch_presentation`]?.locale ?? payload.locale,
    target: payload[`${claim}/custom`]?.pilothouse ?? "",
    targetLink: payload[`${claim}/target_link_uri`] ?? "",
    lineItem: lineitem !== undefined && scope.includes(scoreScope) && isSafeAddress(lineitem) ? lineitem : undefined,
    choosing: isChoosing ? choosingOf(settings) : undefined,
  };
}

function choosingOf(
  settings: { deep_link_return_url: string; accept_types: string[]; accept_multiple?: boolean; data?: string } | undefined,
): Choosing {
  const { deep_link_return_url: returnUrl = "", accept_types: types = [], accept_multiple: several = false, data } = settings ?? {};
  if (!isSafeAddress(returnUrl) || !types.includes("ltiResourceLink")) throw new LaunchRefused("bad-message", "deep linking");
  return { returnUrl, data, several };
}

/** Roles in the course; what somebody is elsewhere on the platform is none. */
function roleOf(roles: readonly string[]): Launch["role"] | undefined {
  if (roles.some((role) => role === `${membership}#Instructor` || role.startsWith(`${membership}/Instructor#`))) return "teacher";
  // The short names of LTI 1.1 are still allowed.
  if (roles.includes("Instructor")) return "teacher";
  return roles.some((role) => role === `${membership}#Learner` || role === "Learner") ? "learner" : undefined;
}

async function verified(token: string, { platform, keys, now }: Expected): Promise<JWTPayload> {
  const { issuer, clientId } = platform;
  try {
    const { payload } = await jwtVerify(token, keys.of(platform), {
      issuer,
      audience: clientId,
      algorithms,
      currentDate: new Date(now()),
      clockTolerance: toleranceSeconds,
      maxTokenAge: oldestSeconds,
      requiredClaims: ["exp", "iat", "sub", "nonce"],
    });
    const { aud, azp } = payload;
    // OpenID Connect Core 3.1.3.7: of several it must say which one it is for.
    if ((Array.isArray(aud) && aud.length > 1 && azp === undefined) || (azp !== undefined && azp !== clientId))
      throw new LaunchRefused("wrong-audience");
    return payload;
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof PlatformTrouble) return new LaunchRefused("platform-away", error.message);
  if (error instanceof errors.JWTExpired) return new LaunchRefused("expired");
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim: which } = error;
    if (which === "aud" || which === "iss") return new LaunchRefused("wrong-audience");
    return new LaunchRefused(which === "iat" || which === "nbf" ? "expired" : "bad-message", error.message);
  }
  if (error instanceof errors.JOSEError) return new LaunchRefused("bad-signature", error.message);
  return error;
}
