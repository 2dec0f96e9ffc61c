import { describe, expect, it } from "vitest";
import { machine, tree } from "../kernel.test-kit.ts";
import type { Process } from "../program.ts";
import type { DirectoryInode } from "./inode.ts";
import { openAccount } from "./storage-account.ts";

const page = 4096;

/** `bytes/inodes` of /counted after each step. */
function counted(...steps: readonly ((self: Process) => void)[]): readonly string[] {
  const world = machine(tree({ "/tmp": { type: "directory", permissions: 0o1777 } }));
  const files = world.kernel.files(world.mounts);
  files.mkdir("/counted");
  const account = openAccount(files.bind("/counted").root as DirectoryInode);
  const seen = [`${account.usedBytes / page}/${account.inodes}`];
  world.run(function* (self) {
    for (const step of steps) {
      step(self);
      seen.push(`${account.usedBytes / page}/${account.inodes}`);
    }
    return 0;
  });
  return seen;
}

const write = (path: string, bytes: number) => (self: Process) => self.writeFile(path, "x".repeat(bytes));

describe("an account of a directory", () => {
  it.each<[string, readonly ((self: Process) => void)[], readonly string[]]>([
    [
      "counts files in whole blocks",
      [write("/counted/a", 1), write("/counted/a", 4097), write("/counted/b", 0)],
      ["2/2", "3/2", "3/3"],
    ],
    ["counts what is below", [(self) => self.mkdir("/counted/d"), write("/counted/d/a", 10)], ["2/2", "3/3"]],
    ["counts a second name once", [write("/counted/a", 1), (self) => self.link("/counted/a", "/tmp/b")], ["2/2", "2/2"]],
    ["gives back what is removed", [write("/counted/a", 9000), (self) => self.unlink("/counted/a")], ["4/2", "1/1"]],
    [
      "follows trees that are moved out and in",
      [
        (self) => self.mkdir("/counted/d"),
        write("/counted/d/a", 5000),
        (self) => self.rename("/counted/d", "/tmp/d"),
        write("/tmp/d/b", 1),
        (self) => self.rename("/tmp/d", "/counted/e"),
      ],
      ["2/2", "4/3", "1/1", "1/1", "5/4"],
    ],
    [
      "forgets what a rename covers",
      [write("/counted/a", 9000), write("/tmp/b", 1), (self) => self.rename("/tmp/b", "/counted/a")],
      ["4/2", "4/2", "2/2"],
    ],
    ["does not see what is elsewhere", [write("/tmp/a", 1)], ["1/1"]],
  ])("%s", (_title, steps, seen) => {
    expect(counted(...steps)).toEqual(["1/1", ...seen]);
  });

  it("[POD-497] does not see a file that was deleted while it is open", () => {
    const world = machine(tree({ "/counted": { type: "directory" } }));
    const files = world.kernel.files(world.mounts);
    const account = openAccount(files.bind("/counted").root as DirectoryInode);
    const seen: number[] = [];
    world.run(function* (self) {
      const fd = self.open("/counted/a", { write: true, create: true });
      yield* self.write(fd, "x".repeat(5000));
      seen.push(account.usedBytes / page);
      self.unlink("/counted/a");
      yield* self.write(fd, "x".repeat(5000));
      seen.push(account.usedBytes / page, account.inodes);
      return 0;
    });
    expect(seen).toEqual([3, 1, 1]);
  });
});
