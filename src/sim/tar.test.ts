import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { concatBytes, encodeUtf8, noBytes } from "./bytes.ts";
import { readTar, type TarEntry, TarError, tarEnd, writeTarEntry } from "./tar.ts";

const long = `${"folder/".repeat(20)}file.txt`;

function entry(name: string, more: Partial<TarEntry> = {}): TarEntry {
  const owner = { uid: 1000, gid: 100, userName: "learner", groupName: "users" };
  return { name, type: "file", permissions: 0o640, ...owner, modifiedMs: 1_767_225_600_000, target: "", content: noBytes, ...more };
}

const entries: readonly TarEntry[] = [
  entry("etc/", { type: "directory", permissions: 0o755 }),
  entry("etc/motd", { content: encodeUtf8("hello\n") }),
  entry("etc/block", { content: new Uint8Array(512).fill(65) }),
  entry("etc/link", { type: "symlink", permissions: 0o777, target: "motd" }),
  entry(long, { content: encodeUtf8("deep") }),
];
const archive = concatBytes([...entries.flatMap(writeTarEntry), tarEnd]);

it("writes what tar reads", () => {
  const listed = execFileSync("tar", ["tvf", "-"], { input: archive, encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
  expect(listed.replace(/ +/g, " ")).toBe(
    [
      "drwxr-xr-x learner/users 0 2026-01-01 00:00 etc/",
      "-rw-r----- learner/users 6 2026-01-01 00:00 etc/motd",
      "-rw-r----- learner/users 512 2026-01-01 00:00 etc/block",
      "lrwxrwxrwx learner/users 0 2026-01-01 00:00 etc/link -> motd",
      `-rw-r----- learner/users 4 2026-01-01 00:00 ${long}`,
      "",
    ].join("\n"),
  );
});

it("reads what it wrote, also of a cut archive", () => {
  expect([...readTar(archive)]).toEqual(entries);
  expect([...readTar(archive.subarray(0, 512))]).toEqual(entries.slice(0, 1));
});

const longTarget = "target/".repeat(25);

/** What the machine's tar makes of a long name, a long link and a file with a fraction of a second. */
function archived(...options: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-tar-"));
  try {
    const name = `${"x".repeat(120)}/é`;
    mkdirSync(join(folder, "x".repeat(120)));
    writeFileSync(join(folder, name), "deep");
    symlinkSync(longTarget, join(folder, "link"));
    writeFileSync(join(folder, "short"), "s");
    utimesSync(join(folder, "short"), 1_767_225_600.25, 1_767_225_600.25);
    return execFileSync("tar", [...options, "-C", folder, "-cf", "-", name, "link", "short"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each([
  ["pax", ["--format=pax"], 1_767_225_600_250],
  ["pax with a header for all", ["--format=pax", "--pax-option=globexthdr.name=g,comment=all"], 1_767_225_600_250],
  ["GNU", ["--format=gnu"], 1_767_225_600_000],
])("applies what stands before an entry to it: %s", (_name, options, modifiedMs) => {
  const read = [...readTar(archived(...options))];
  expect(read.map(({ name, type, target, content }) => [name, type, target, content.length])).toEqual([
    [`${"x".repeat(120)}/é`, "file", "", 4],
    ["link", "symlink", longTarget, 0],
    ["short", "file", "", 1],
  ]);
  expect(read[2]?.modifiedMs).toBe(modifiedMs);
});

it("refuses what is no archive, and names that do not fit", () => {
  expect(() => [...readTar(new Uint8Array(512).fill(65))]).toThrow(new TarError("This does not look like a tar archive"));
  const name = "x".repeat(101);
  expect(() => writeTarEntry(entry(name))).toThrow(new TarError(`${name}: file name is too long`));
});
