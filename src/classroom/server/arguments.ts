// The command line of `npm run classroom`, and what it takes from the environment.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Keeping } from "../wire.ts";
import { type Platform, readPlatforms } from "./lti/platforms.ts";

export interface ClassroomArguments {
  readonly port: number;
  readonly address: string;
  readonly dataFolder: string;
  /** Folder of the built site; undefined: the project's own. */
  readonly site: string | undefined;
  /** With a slash at both ends. */
  readonly base: string;
  readonly databaseUrl: string | undefined;
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  /** As people reach the server, without a path; undefined: by this machine's name. */
  readonly origin: string | undefined;
  readonly behindProxy: boolean;
  /** Learning platforms that may launch the course. */
  readonly platforms: readonly Platform[];
  readonly replays: number;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly keeping: Keeping;
  /** Instead of serving: a file to write all that is kept into, or to read it from. */
  readonly backup: string | undefined;
  readonly restore: string | undefined;
  /** Instead of serving: the keys that sign are retired. */
  readonly renewKeys: boolean;
  /** As certificates name it. */
  readonly school: string | undefined;
}

export const helpText = `The course and its classroom, for a school to host.

Usage:
  npm run classroom [-- options]

Options:
  --port N              port (8080)
  --address A           address to listen at; 127.0.0.1 for this machine alone (0.0.0.0)
  --data FOLDER         where the classroom is kept (classroom-data)
  --site FOLDER         the built site (dist)
  --base /PATH/         path below which the site lives (/)
  --certificate FILE    certificate in PEM, with its chain: HTTPS
  --key FILE            its private key in PEM
  --origin URL          how people reach the server, such as https://course.example.org, where a proxy is in front of it
  --behind-proxy        one proxy is in front, and says who asks (X-Forwarded-For)
  --lti FILE            learning platforms that may launch the course (LTI 1.3), a JSON file; needs --origin https://…
  --school NAME         the school's name, as certificates have it (the host's name)
  --replays N           processes that replay what learners hand in (1)
  --log LEVEL           debug, info, warn or error (info)
  --keep-runs DAYS      delete a run so long after it was last added to; its results stay (180; always: never)
  --keep-learners DAYS  delete a learner with everything so long after the last sign of life (400; always: never)
  --keep-audit DAYS     delete a line of the audit log after so long (365; always: never)
  --backup FILE         write all that the classroom keeps into a file, and end; the server may go on meanwhile
  --restore FILE        read it from there into a new data folder or an empty database, and end
  --renew-keys          have other keys sign from now on, and end; what the old ones signed can still be checked
  --help, -h            print this

Environment:
  PILOTHOUSE_BASE       the path of --base, as the site was built with
  DATABASE_URL          postgres://… instead of a file in the data folder; DATABASE_URL_FILE names a file that holds it`;

/** A hundred years. */
const mostDays = 36_500;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws an Error whose message is the one sentence to print. */
export function readArguments(args: readonly string[], environment: Environment): ClassroomArguments | "help" {
  const { values } = parse(args);
  if (values.help === true) return "help";
  const base = values.base ?? environment["PILOTHOUSE_BASE"] ?? "/";
  if (!/^\/([A-Za-z0-9._~-]+\/)*$/.test(base)) throw new Error(`--base is a path such as /course/, not ${base}`);
  const { certificate, key } = values;
  if ((certificate === undefined) !== (key === undefined)) throw new Error("--certificate and --key belong together");
  if (values.backup !== undefined && values.restore !== undefined) throw new Error("--backup and --restore are two things");
  const tls = certificate === undefined || key === undefined ? undefined : { certificate: read(certificate), key: read(key) };
  const origin = originOf(values.origin);
  if (values.lti !== undefined && origin?.startsWith("https:") !== true) throw new Error("--lti needs --origin https://…");
  return {
    port: whole("--port", values.port ?? "8080", 0, 65_535),
    address: values.address ?? "0.0.0.0",
    dataFolder: values.data ?? "classroom-data",
    site: values.site,
    base,
    databaseUrl: databaseUrl(environment),
    tls,
    origin,
    behindProxy: values["behind-proxy"] === true,
    platforms: values.lti === undefined ? [] : readPlatforms(read(values.lti), values.lti),
    replays: whole("--replays", values.replays ?? "1", 1, 64),
    logLevel: levelOf(values.log ?? "info"),
    keeping: {
      runsDays: daysOf("--keep-runs", values["keep-runs"] ?? "180"),
      learnersDays: daysOf("--keep-learners", values["keep-learners"] ?? "400"),
      auditDays: daysOf("--keep-audit", values["keep-audit"] ?? "365"),
    },
    backup: values.backup,
    restore: values.restore,
    renewKeys: values["renew-keys"] === true,
    school: schoolOf(values.school),
  };
}

const text = { type: "string" } as const;
const options = {
  port: text,
  address: text,
  data: text,
  site: text,
  base: text,
  certificate: text,
  key: text,
  origin: text,
  "behind-proxy": { type: "boolean" },
  lti: text,
  school: text,
  "renew-keys": { type: "boolean" },
  replays: text,
  log: text,
  "keep-runs": text,
  "keep-learners": text,
  "keep-audit": text,
  backup: text,
  restore: text,
  help: { type: "boolean", short: "h" },
} as const;

function parse(args: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof options }>> {
  try {
    return parseArgs({ args: [...args], options, strict: true });
  } catch (error) {
    // Node's first sentence says what is wrong.
    throw new Error(`${(error as Error).message.split(". ")[0]}; --help tells the options`);
  }
}

function whole(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most)
    throw new Error(`${name} is a whole number from ${least} to ${most}, not ${value}`);
  return number;
}

function daysOf(name: string, value: string): number | null {
  if (value === "always") return null;
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= mostDays) return Number(value);
  throw new Error(`${name} is a number of days from 1 to ${mostDays}, or always, not ${value}`);
}

function originOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol) || new URL(value).pathname !== "/")
    throw new Error(`--origin is an address such as https://course.example.org, not ${value}`);
  return new URL(value).origin;
}

function schoolOf(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[^\p{Cc}\p{Cs}]{1,120}$/u.test(value.trim())) throw new Error("--school is a name of a line");
  return value?.trim();
}

function levelOf(value: string): ClassroomArguments["logLevel"] {
  if (value === "debug" || value === "info" || value === "warn" || value === "error") return value;
  throw new Error(`--log is debug, info, warn or error, not ${value}`);
}

function databaseUrl(environment: Environment): string | undefined {
  const file = environment["DATABASE_URL_FILE"];
  const url = file === undefined ? environment["DATABASE_URL"] : read(file).trim();
  if (url === undefined || url === "") return undefined;
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error("DATABASE_URL begins with postgres://");
  return url;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
}
