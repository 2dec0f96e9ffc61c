// Deep linking: a teacher chooses what links of the platform lead to, and the platform is told of it in a signed answer.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { JWTPayload } from "jose";
import type { Locale } from "../../../i18n/locales.ts";
import { audit } from "../audit.ts";
import { newId } from "../people/secrets.ts";
import { rootOf } from "../records/routes.ts";
import type { Services } from "../services.ts";
import { classOf } from "../teaching/classes.ts";
import { beginFlow, endFlow, type FlowData } from "./flows.ts";
import { deepLinking, LaunchRefused } from "./id-token.ts";
import { choicePage, wayBack } from "./pages.ts";
import { framesOf, type Platform, platformId } from "./platforms.ts";
import { mostOf, placeOf, readTarget, type Target, targetText } from "./targets.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const answerSeconds = 300;

/** A request and its answer, with what there is to work with. */
export interface Exchange {
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function showChoice(
  { services, request, reply }: Exchange,
  platform: Platform,
  data: FlowData["choice"],
  locale: Locale,
): Promise<FastifyReply> {
  const { database, course } = services;
  const ticket = await beginFlow(services, "choice", data);
  if (ticket === undefined) throw new LaunchRefused("too-many");
  const rows = await database
    .selectFrom("exams")
    .select(["id", "title"])
    .where("class_id", "=", data.classId)
    .orderBy("opens_at")
    .execute();
  const exams = await Promise.all(
    rows.map(async ({ id, title }) => ({ id, title, most: await mostOf(services, data.classId, { kind: "exam", id }) })),
  );
  return choicePage(reply, {
    locale,
    frames: framesOf(platform),
    address: `${rootOf(services, request)}api/lti/choice`,
    ticket,
    outline: course[locale],
    exams,
    classMost: await mostOf(services, data.classId, { kind: "class" }),
    several: data.choosing.several,
  });
}

export async function answerChoice(
  exchange: Exchange,
  { ticket, target }: { readonly ticket: string; readonly target: string | readonly string[] },
): Promise<FastifyReply> {
  const { services, request, reply } = exchange;
  const data = await endFlow(services, "choice", ticket);
  const platform = services.platforms.find((one) => platformId(one) === data?.platform);
  if (data === undefined || platform === undefined) throw new LaunchRefused("not-begun");
  const { choosing, classId, deployment, teacher } = data;
  const targets = [...new Set([target].flat())].map((text) => readTarget(text));
  if (targets.length > 1 && !choosing.several) throw new LaunchRefused("bad-message", "several");
  const { locale } = await classOf(services.database, classId);
  const items = await Promise.all(targets.map((one) => itemOf(exchange, locale, classId, one)));
  const seconds = Math.floor(services.now() / 1000);
  const answer: JWTPayload = {
    iss: platform.clientId,
    aud: platform.issuer,
    iat: seconds,
    exp: seconds + answerSeconds,
    nonce: newId(),
    [`${claim}/deployment_id`]: deployment,
    [`${claim}/message_type`]: "LtiDeepLinkingResponse",
    [`${claim}/version`]: "1.3.0",
    [`${deepLinking}/content_items`]: items,
    ...(choosing.data === undefined ? {} : { [`${deepLinking}/data`]: choosing.data }),
  };
  const token = await services.keys.sign("lti", answer);
  await audit(services, request, "link-chosen", `teacher ${teacher} class ${classId}`);
  return wayBack(reply, locale, framesOf(platform), choosing.returnUrl, token);
}

async function itemOf({ services, request }: Exchange, locale: Locale, classId: string, target: Target): Promise<object> {
  const outline = services.course[locale];
  const place = placeOf(outline, target);
  const root = `${rootOf(services, request)}${locale}/`;
  const title = await titleOf(services, locale, classId, target);
  const scoreMaximum = await mostOf(services, classId, target);
  return {
    type: "ltiResourceLink",
    title,
    url: place === "" ? root : `${root}${place}/`,
    custom: { pilothouse: targetText(target) },
    ...(scoreMaximum === 0 ? {} : { lineItem: { label: title, scoreMaximum, resourceId: targetText(target) || "class" } }),
  };
}

async function titleOf({ database, course }: Services, locale: Locale, classId: string, target: Target): Promise<string> {
  if (target.kind === "class") return "Pilothouse";
  if (target.kind === "lab") {
    const title = course[locale].labs[target.id]?.title;
    if (title === undefined) throw new LaunchRefused("bad-message", "no such lab");
    return title;
  }
  const exam = await database
    .selectFrom("exams")
    .select("title")
    .where("id", "=", target.id)
    .where("class_id", "=", classId)
    .executeTakeFirst();
  if (exam === undefined) throw new LaunchRefused("bad-message", "no such exam");
  return exam.title;
}
