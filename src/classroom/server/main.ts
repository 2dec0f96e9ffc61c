// `npm run classroom`: serves the course and its classroom until it is told to stop.

import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { type AppOptions, makeApp } from "./app.ts";
import { type ClassroomArguments, helpText, readArguments } from "./arguments.ts";
import { LocalBus, PostgresBus } from "./bus.ts";
import { forgetFlows } from "./lti/flows.ts";
import { usualCosts } from "./people/secrets.ts";
import { hasTeacher, invite } from "./people/teachers.ts";
import { SigningKeys } from "./records/signing-keys.ts";
import { ReplayPool } from "./replay/replay-pool.ts";
import type { Services } from "./services.ts";
import { backUp, restore } from "./storage/backup.ts";
import { openDatabase } from "./storage/open.ts";

const root = join(import.meta.dirname, "../../..");
const hourMs = 3_600_000;
const scoresEveryMs = 10_000;
/** A replay takes a second or two; a machine that is loaded, some more. */
const replayLimitMs = 60_000;
const replayMemoryMib = 768;

function giveUp(sentence: string): never {
  console.error(`pilothouse: ${sentence}`);
  process.exit(1);
}

function parse(): ClassroomArguments {
  try {
    const read = readArguments(process.argv.slice(2), process.env);
    if (read !== "help") return read;
  } catch (error) {
    return giveUp((error as Error).message);
  }
  console.log(helpText);
  process.exit(0);
}

async function start(options: ClassroomArguments): Promise<void> {
  const {
    databaseUrl,
    dataFolder,
    address,
    port,
    origin,
    replays,
    tls,
    base,
    site: siteFolder,
    behindProxy,
    logLevel,
    platforms,
    school,
  } = options;
  const site = siteFolder ?? join(root, "dist");
  if (!existsSync(join(site, "index.html"))) giveUp(`there is no built site in ${site}; npm run build builds it`);
  const database = await openDatabase({ dataFolder, databaseUrl });
  const bus = databaseUrl === undefined ? new LocalBus() : new PostgresBus(databaseUrl);
  const pool = new ReplayPool({ processes: replays, wallLimitMs: replayLimitMs, memoryMib: replayMemoryMib, labs: root });
  const secure = tls !== undefined || (origin?.startsWith("https:") ?? false);
  const replay: AppOptions["replay"] = (owner, lab, saved) => pool.replay(owner, lab, saved);
  const { app, services } = await makeApp({
    database,
    bus,
    replay,
    now: Date.now,
    site,
    base,
    origin,
    platforms,
    school,
    secure,
    tls,
    costs: usualCosts,
    behindProxy,
    logLevel,
  });
  const complain = (error: unknown): void => app.log.error(error);
  const cleaning = setInterval(() => {
    services.sessions.forgetOld().catch(complain);
    forgetFlows(services).catch(complain);
    services.results.resume().catch(complain);
  }, hourMs);

  const sending = setInterval(() => void services.scores.tick().catch(complain), scoresEveryMs);

  let isEnding = false;
  const stop = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    clearInterval(cleaning);
    clearInterval(sending);
    await app.close();
    await pool.close();
    await services.results.settled();
    await services.scores.settled();
    await bus.close();
    await database.destroy();
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());

  await app.listen({ host: address, port });
  services.results.resume().catch(complain);
  console.log((await greeting(options, (app.server.address() as AddressInfo).port, services)).join("\n"));
}

/** Where the course is, and the first teacher's way in. */
async function greeting(
  { origin, tls, address, base }: ClassroomArguments,
  port: number,
  services: Services,
): Promise<readonly string[]> {
  const host = address === "127.0.0.1" ? "127.0.0.1" : hostname();
  const reached = origin ?? `${tls === undefined ? "http" : "https"}://${host}:${port}`;
  const lines = [`The course: ${reached}${base}`];
  if (await hasTeacher(services)) return lines;
  const { token } = await invite(services, null);
  return [...lines, `The first teacher comes in here, within a week: ${reached}${base}class/#${token}`];
}

/** Writes or reads a backup, or retires keys. */
async function keep({ dataFolder, databaseUrl, backup, restore: from, renewKeys }: ClassroomArguments): Promise<void> {
  const database = await openDatabase({ dataFolder, databaseUrl });
  try {
    if (renewKeys)
      console.log(`${await new SigningKeys({ database, now: Date.now }).renew()} keys retired; new ones are made when needed`);
    if (backup !== undefined) console.log(`${await backUp(database, backup)} rows written to ${backup}`);
    if (from !== undefined) console.log(`${await restore(database, from)} rows read from ${from}`);
  } finally {
    await database.destroy();
  }
}

const options = parse();
try {
  const isServing = options.backup === undefined && options.restore === undefined && !options.renewKeys;
  await (isServing ? start(options) : keep(options));
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  giveUp(code === "EADDRINUSE" ? `port ${options.port} is in use; choose another one with --port` : message);
}
