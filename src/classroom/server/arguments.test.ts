import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { helpText, readArguments } from "./arguments.ts";

const folder = mkdtempSync(join(tmpdir(), "classroom-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const usual = {
  port: 8080,
  address: "0.0.0.0",
  dataFolder: "classroom-data",
  site: undefined,
  base: "/",
  databaseUrl: undefined,
  tls: undefined,
  origin: undefined,
  behindProxy: false,
  platforms: [],
  replays: 1,
  logLevel: "info",
  keeping: { runsDays: 180, learnersDays: 400, auditDays: 365 },
  backup: undefined,
  restore: undefined,
  renewKeys: false,
  school: undefined,
};

test("nothing said is the usual", () => {
  expect(readArguments([], {})).toEqual(usual);
});

test("each option is taken, with and without an equals sign", () => {
  const args =
    "--port 9 --address=127.0.0.1 --data /d --site /s --base /course/ --origin https://k.example/ --behind-proxy --replays 2 --log warn --keep-runs 30 --keep-learners=always --keep-audit 36500 --restore /r".split(
      " ",
    );
  const [certificate, key] = [file("c.pem", "C"), file("k.pem", "K")];
  const address = "https://lms.example/";
  const platform = { name: "L", issuer: "i", clientId: "c", deployments: ["1"], login: address, token: address, keys: address };
  const lti = file("lti.json", JSON.stringify([platform]));
  expect(
    readArguments([...args, "--certificate", certificate, "--key", key, "--lti", lti, "--school", " Lycée Ada ", "--renew-keys"], {
      DATABASE_URL: "postgres://h/d",
    }),
  ).toEqual({
    port: 9,
    address: "127.0.0.1",
    dataFolder: "/d",
    site: "/s",
    base: "/course/",
    databaseUrl: "postgres://h/d",
    tls: { certificate: "C", key: "K" },
    origin: "https://k.example",
    behindProxy: true,
    platforms: [platform],
    replays: 2,
    logLevel: "warn",
    keeping: { runsDays: 30, learnersDays: null, auditDays: 36_500 },
    backup: undefined,
    restore: "/r",
    renewKeys: true,
    school: "Lycée Ada",
  });
});

test("the path may be the one that the site was built with", () => {
  const environment = { PILOTHOUSE_BASE: "/course/" };
  expect(readArguments([], environment)).toEqual({ ...usual, base: "/course/" });
  expect(readArguments(["--base", "/"], environment)).toEqual(usual);
});

test("the database's address may stand in a file, as secrets do", () => {
  expect(readArguments([], { DATABASE_URL_FILE: file("url", "postgresql://h/d\n") })).toEqual({
    ...usual,
    databaseUrl: "postgresql://h/d",
  });
});

test.each([
  [["--port", "x"], "--port is a whole number from 0 to 65535, not x"],
  [["--port", "70000"], "--port is a whole number from 0 to 65535, not 70000"],
  [["--base", "course"], "--base is a path such as /course/, not course"],
  [["--certificate", "c.pem"], "--certificate and --key belong together"],
  [["--certificate", "/no/c", "--key", "/no/k"], "/no/c cannot be read: ENOENT: no such file or directory, open '/no/c'"],
  [["--origin", "course.example"], "--origin is an address such as https://course.example.org, not course.example"],
  [["--origin", "https://k.example/a"], "--origin is an address such as https://course.example.org, not https://k.example/a"],
  [["--lti", "/no/lti.json", "--origin", "http://k.example"], "--lti needs --origin https://…"],
  [["--school", ""], "--school is a name of a line"],
  [["--replays", "0"], "--replays is a whole number from 1 to 64, not 0"],
  [["--backup", "a", "--restore", "b"], "--backup and --restore are two things"],
  [["--keep-runs", "0"], "--keep-runs is a number of days from 1 to 36500, or always, not 0"],
  [["--keep-learners", "never"], "--keep-learners is a number of days from 1 to 36500, or always, not never"],
  [["--keep-audit", "1.5"], "--keep-audit is a number of days from 1 to 36500, or always, not 1.5"],
  [["--log", "loud"], "--log is debug, info, warn or error, not loud"],
  [["--colour"], "Unknown option '--colour'; --help tells the options"],
  [["extra"], "Unexpected argument 'extra'; --help tells the options"],
])("%j is refused in a sentence", (args, sentence) => {
  expect(() => readArguments(args, {})).toThrow(new Error(sentence));
});

test("an address of another database is refused", () => {
  expect(() => readArguments([], { DATABASE_URL: "mysql://h/d" })).toThrow(new Error("DATABASE_URL begins with postgres://"));
});

test("help names every option", () => {
  expect(readArguments(["-h"], {})).toBe("help");
  for (const name of [
    "port",
    "address",
    "data",
    "site",
    "base",
    "certificate",
    "key",
    "origin",
    "behind-proxy",
    "lti",
    "school",
    "renew-keys",
    "replays",
    "log",
    "keep-runs",
    "keep-learners",
    "keep-audit",
    "backup",
    "restore",
  ])
    expect(helpText).toContain(`--${name}`);
});
