// LTI 1.3: a platform begins a login here, comes back with what it has signed, and whoever it names comes in. What a teacher chose to link
// goes back to it (Deep Linking 2.0).

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import type { Locale } from "../../../i18n/locales.ts";
import { audit } from "../audit.ts";
import { newToken, tokenHash } from "../people/secrets.ts";
import { rootOf } from "../records/routes.ts";
import type { Services } from "../services.ts";
import { classOf, classParameter } from "../teaching/classes.ts";
import { localeOf } from "../words.ts";
import { answerChoice, type Exchange, showChoice } from "./choice.ts";
import { beginFlow, endFlow, type FlowData } from "./flows.ts";
import { readForms } from "./forms.ts";
import { type Launch, LaunchRefused, readIdToken } from "./id-token.ts";
import { apartDoor, entryDoor, refusalPage } from "./pages.ts";
import { classOfCourse, learnerOfLaunch, openClass, teacherOfLaunch } from "./people.ts";
import { PlatformKeys } from "./platform-keys.ts";
import { framesOf, type Platform, platformId } from "./platforms.ts";
import { ltiStateOf, noteLineItem, noteScores, retryScores } from "./scores.ts";
import { placeOf, readTarget, type Target, targetAt, targetText } from "./targets.ts";

const some = Type.String({ minLength: 1, maxLength: 2000 });
const maybe = Type.Optional(Type.String({ maxLength: 4000 }));
/** Platforms may say more: it is not read. */
const begun = Type.Object({
  iss: some,
  login_hint: some,
  target_link_uri: some,
  lti_message_hint: maybe,
  client_id: maybe,
  lti_deployment_id: maybe,
});
const comeBack = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 200 })),
  id_token: Type.Optional(Type.String({ maxLength: 60_000 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
});
const ticket = Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" });
const entry = Type.Object({ ticket }, { additionalProperties: false });
const chosen = Type.Object(
  { ticket, target: Type.Union([Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })]) },
  { additionalProperties: false },
);
const cookieSeconds = 600;
const isToken = /^[A-Za-z0-9_-]{43}$/;

/** Pages that the server writes for who comes from a platform; none is there unless a platform is registered. */
export function launchRoutes(services: Services): (app: FastifyInstance) => Promise<void> {
  const { platforms, now } = services;
  const platformKeys = new PlatformKeys(now);
  return async (app) => {
    if (platforms.length === 0) return;
    readForms(app);
    const api = app.withTypeProvider<TypeBoxTypeProvider>();
    const fromPlatform = { for: "anyone", fromOtherSites: true } as const;

    api.get("/login", { config: fromPlatform, schema: { querystring: begun } }, (request, reply) =>
      guarded({ services, request, reply }, (exchange) => begin(exchange, request.query)),
    );
    api.post("/login", { config: fromPlatform, schema: { body: begun } }, (request, reply) =>
      guarded({ services, request, reply }, (exchange) => begin(exchange, request.body)),
    );
    api.post("/launch", { config: fromPlatform, schema: { body: comeBack } }, (request, reply) =>
      guarded({ services, request, reply }, (exchange) => launch(exchange, platformKeys, request.body)),
    );
    api.post("/enter", { config: { for: "anyone" }, schema: { body: entry } }, (request, reply) =>
      guarded({ services, request, reply }, async () => {
        const data = await endFlow(services, "entry", request.body.ticket);
        if (data === undefined) throw new LaunchRefused("not-begun");
        await services.sessions.begin(request, reply, data.role, data.person);
        return reply.redirect(data.to, 303);
      }),
    );
    api.post("/choice", { config: { for: "anyone" }, schema: { body: chosen } }, (request, reply) =>
      guarded({ services, request, reply }, (exchange) => answerChoice(exchange, request.body)),
    );
  };
}

export function ltiStateRoutes(app: FastifyInstance, services: Services): void {
  const { database, platforms } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { config: { for: "teacher" }, schema: { params: classParameter } } as const;
  const names = new Map(platforms.map((platform) => [platformId(platform), platform.name]));

  api.get("/classes/:class/lti", route, async (request) => {
    await classOf(database, request.params.class);
    return ltiStateOf(services, names, request.params.class);
  });

  api.post("/classes/:class/lti/retry", route, async (request, reply) => {
    await classOf(database, request.params.class);
    await retryScores(services, request.params.class);
    services.scores.tick().catch((error: unknown) => services.log.error(error));
    return reply.code(204).send();
  });
}

/** Whoever comes from a platform reads why not in a page. */
async function guarded(exchange: Exchange, act: (exchange: Exchange) => Promise<FastifyReply>): Promise<FastifyReply> {
  const { services, request, reply } = exchange;
  try {
    return await act(exchange);
  } catch (error) {
    if (!(error instanceof LaunchRefused)) throw error;
    await audit(services, request, "launch-refused", error.message.slice(0, 200));
    const frames = [...new Set(services.platforms.flatMap(framesOf))];
    return refusalPage(reply, localeOf(request.headers["accept-language"]), frames, error.reason);
  }
}

/** OpenID Connect's login begun by a third party: the browser goes to the platform, bound to what it will come back with. */
async function begin(
  { services, request, reply }: Exchange,
  { iss, client_id, login_hint, target_link_uri, lti_message_hint, lti_deployment_id }: Static<typeof begun>,
): Promise<FastifyReply> {
  const known = services.platforms.filter(
    ({ issuer, clientId }) => issuer === iss && (client_id === undefined || clientId === client_id),
  );
  const [platform] = known;
  // Who does not say which client it means must have one alone.
  if (platform === undefined || known.length > 1) throw new LaunchRefused("unknown-platform");
  if (lti_deployment_id !== undefined && !platform.deployments.includes(lti_deployment_id))
    throw new LaunchRefused("unknown-deployment");
  const root = rootOf(services, request);
  if (!target_link_uri.startsWith(root)) throw new LaunchRefused("bad-message", "target_link_uri");
  const kept = request.cookies[cookieName(services)];
  const browser = kept !== undefined && isToken.test(kept) ? kept : newToken();
  const nonce = newToken();
  const hint = lti_message_hint === undefined ? {} : { lti_message_hint };
  const data = {
    platform: platformId(platform),
    nonce,
    browser: tokenHash(browser),
    begun: { iss, client_id: platform.clientId, login_hint, target_link_uri, ...hint },
  };
  const state = await beginFlow(services, "login", data);
  if (state === undefined) throw new LaunchRefused("too-many");
  // A platform's page may hold ours in a frame: only `Partitioned` does a browser keep a cookie there.
  void reply.setCookie(cookieName(services), browser, {
    path: services.base,
    httpOnly: true,
    secure: true,
    sameSite: "none",
    partitioned: true,
    maxAge: cookieSeconds,
  });
  const address = new URL(platform.login);
  const asked = {
    scope: "openid",
    response_type: "id_token",
    response_mode: "form_post",
    prompt: "none",
    client_id: platform.clientId,
    redirect_uri: `${root}api/lti/launch`,
    login_hint,
    ...hint,
    state,
    nonce,
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return reply.redirect(address.href, 303);
}

function cookieName({ base }: Services): string {
  return base === "/" ? "__Host-pilothouse-launch" : "__Secure-pilothouse-launch";
}

async function launch(
  exchange: Exchange,
  keys: PlatformKeys,
  { state = "", id_token, error }: Static<typeof comeBack>,
): Promise<FastifyReply> {
  const { services, request } = exchange;
  const flow = await endFlow(services, "login", state);
  const platform = services.platforms.find((one) => platformId(one) === flow?.platform);
  if (flow === undefined || platform === undefined) throw new LaunchRefused("not-begun");
  if (error !== undefined || id_token === undefined) throw new LaunchRefused("platform-said-no", error ?? "");
  const browser = request.cookies[cookieName(services)];
  if (browser === undefined) return beginApart(exchange, platform, flow);
  if (tokenHash(browser) !== flow.browser) throw new LaunchRefused("other-browser");
  const told = await readIdToken(id_token, { platform, nonce: flow.nonce, keys, now: services.now });
  if (told.course === undefined) throw new LaunchRefused("no-course");
  const locale = localeOf(told.language, request.headers["accept-language"]);
  return told.role === "teacher" ? launchTeacher(exchange, told, locale) : launchLearner(exchange, told);
}

function beginApart(
  { services, request, reply }: Exchange,
  platform: Platform,
  { begun: before }: FlowData["login"],
): FastifyReply {
  const address = `${rootOf(services, request)}api/lti/login?${new URLSearchParams(before)}`;
  return apartDoor(reply, localeOf(request.headers["accept-language"]), framesOf(platform), address);
}

async function launchTeacher(exchange: Exchange, told: Launch, locale: Locale): Promise<FastifyReply> {
  const { services, request } = exchange;
  const teacher = await teacherOfLaunch(services, told);
  const own = await openClass(services, told, teacher, locale);
  await audit(services, request, "launched", `teacher ${teacher} class ${own.id}`);
  if (told.choosing !== undefined) {
    const data = {
      platform: platformId(told.platform),
      deployment: told.deployment,
      teacher,
      classId: own.id,
      choosing: told.choosing,
    };
    return showChoice(exchange, told.platform, data, locale);
  }
  await noteColumn(exchange, told, own.id);
  const to = `${rootOf(services, request)}${locale}/class/#class/${own.id}`;
  return comeIn(exchange, told, { role: "teacher", person: teacher, to }, locale);
}

async function launchLearner(exchange: Exchange, told: Launch): Promise<FastifyReply> {
  const { services, request } = exchange;
  if (told.choosing !== undefined) throw new LaunchRefused("no-role");
  const own = await classOfCourse(services, told);
  if (own === undefined) throw new LaunchRefused("class-not-there");
  const { id, isNew } = await learnerOfLaunch(services, told, own);
  await audit(services, request, "launched", `learner ${id} class ${own.id}`);
  if (isNew) services.bus.tell({ class: own.id, learner: id, kind: "presence" });
  const target = await noteColumn(exchange, told, own.id);
  await noteScores(services, id);
  const place = placeOf(services.course[own.locale], target);
  const arrival = target.kind === "exam" ? `${place}/${target.id}` : place;
  const to = `${rootOf(services, request)}${own.locale}/join/#in=${arrival}`;
  return comeIn(exchange, told, { role: "learner", person: id, to }, own.locale);
}

/** What the link leads to; its column in the gradebook is remembered. */
async function noteColumn({ services, request }: Exchange, told: Launch, classId: string): Promise<Target> {
  const root = rootOf(services, request);
  const path = told.targetLink.startsWith(root) ? told.targetLink.slice(root.length) : "";
  const target = told.target === "" ? targetAt(services.course.fr, path) : readTarget(told.target);
  const platform = platformId(told.platform);
  if (told.lineItem !== undefined)
    await noteLineItem(services, { url: told.lineItem, platform, classId, target: targetText(target) });
  return target;
}

/** A page of its own comes in at once; one in a frame has a window opened, for the course and its cookie are not for frames. */
async function comeIn(
  { services, request, reply }: Exchange,
  { platform }: Launch,
  data: FlowData["entry"],
  locale: Locale,
): Promise<FastifyReply> {
  if (request.headers["sec-fetch-dest"] === "document") {
    await services.sessions.begin(request, reply, data.role, data.person);
    return reply.redirect(data.to, 303);
  }
  const token = await beginFlow(services, "entry", data);
  if (token === undefined) throw new LaunchRefused("too-many");
  return entryDoor(reply, locale, framesOf(platform), `${rootOf(services, request)}api/lti/enter`, token);
}
