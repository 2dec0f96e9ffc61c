// `npm run classroom`: serves the course and its classroom until it is told to stop.

import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Keeping } from "../wire.ts";
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
import { DeletionByAge } from "./storage/deletion-by-age.ts";
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
    keeping,
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
    keeping,
  });
  const complain = (error: unknown): void => app.log.error(error);
  const upkeep = new Upkeep(services, complain);

  let isEnding = false;
  const stop = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await app.close();
    await upkeep.end();
    await pool.close();
    await services.results.settled();
    await services.scores.settled();
    await bus.close();
    await database.destroy();
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());

  await app.listen({ host: address, port });
  upkeep.begin();
  console.log((await greeting(options, (app.server.address() as AddressInfo).port, services)).join("\n"));
}

/** Where the course is, what is kept how long, and the first teacher's way in. */
async function greeting(
  { origin, tls, address, base, keeping }: ClassroomArguments,
  port: number,
  services: Services,
): Promise<readonly string[]> {
  const host = address === "127.0.0.1" ? "127.0.0.1" : hostname();
  const reached = origin ?? `${tls === undefined ? "http" : "https"}://${host}:${port}`;
  const lines = [`The course: ${reached}${base}`, keptText(keeping)];
  if (await hasTeacher(services)) return lines;
  const { token } = await invite(services, null);
  return [...lines, `The first teacher comes in here, within a week: ${reached}${base}class/#${token}`];
}

/** What is done at the start and each hour, and what goes to learning platforms. */
class Upkeep {
  readonly #services: Services;
  readonly #complain: (error: unknown) => void;
  readonly #deletion: DeletionByAge;
  #hourly: NodeJS.Timeout | undefined;
  #sending: NodeJS.Timeout | undefined;

  constructor(services: Services, complain: (error: unknown) => void) {
    this.#services = services;
    this.#complain = complain;
    this.#deletion = new DeletionByAge(services);
  }

  begin(): void {
    this.#turn();
    this.#hourly = setInterval(() => this.#turn(), hourMs);
    this.#sending = setInterval(() => void this.#services.scores.tick().catch(this.#complain), scoresEveryMs);
  }

  #turn(): void {
    this.#services.sessions.forgetOld().catch(this.#complain);
    forgetFlows(this.#services).catch(this.#complain);
    this.#services.results.resume().catch(this.#complain);
    this.#deletion.daily().catch(this.#complain);
  }

  async end(): Promise<void> {
    clearInterval(this.#hourly);
    clearInterval(this.#sending);
    await this.#deletion.end();
  }
}

function keptText({ runsDays, learnersDays, auditDays }: Keeping): string {
  const days = (count: number | null, after: string): string => (count === null ? "for good" : `${count} days${after}`);
  const runs = days(runsDays, " after it was last added to");
  const learners = days(learnersDays, " after the last sign of life");
  return `Kept: a run ${runs}; a learner ${learners}; a line of the audit log ${days(auditDays, "")} (--keep-runs, --keep-learners, --keep-audit)`;
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
