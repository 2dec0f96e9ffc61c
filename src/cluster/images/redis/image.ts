// docker.io/library/redis. Its programs come late (`../server-programs.ts`).

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { alpineTools, slimDebianTools } from "../tools.ts";
import { redisPrograms, redisReleases } from "./releases.ts";

function filesOf(version: string, base: FileTree): FileTree {
  const names = redisPrograms(version);
  const program = (name: string, sizeBytes: number): TreeEntry => ({ type: "program", program: lateProgram(name), sizeBytes });
  return new Map<string, TreeEntry>([
    ...base,
    ["/usr/local/bin/docker-entrypoint.sh", program(names.entrypoint, 661)],
    ["/usr/local/bin/redis-server", program(names.server, 16_801_664)],
    ["/usr/local/bin/redis-cli", program(names.cli, 7_143_720)],
    ["/data", { type: "directory" }],
  ]);
}

export const redisImages: readonly Image[] = redisReleases.flatMap(({ version, tags, sizeBytes, alpineSizeBytes }) => {
  const make =
    (family: string, size: number, files: FileTree) =>
    (tag: string): Image => ({
      repository: "docker.io/library/redis",
      tag,
      digest: digestOf(`redis ${version} ${family}`),
      sizeBytes: size,
      config: {
        entrypoint: ["docker-entrypoint.sh"],
        cmd: ["redis-server"],
        env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
        workingDir: "/data",
        user: "",
        exposedPorts: [6379],
        stopSignal: "TERM",
        labels: {},
      },
      files,
    });
  const alpineTags = tags.map((tag) => (tag === "latest" ? "alpine" : `${tag}-alpine`));
  return [
    ...tags.map(make("debian", sizeBytes, filesOf(version, slimDebianTools))),
    ...alpineTags.map(make("alpine", alpineSizeBytes, filesOf(version, alpineTools))),
  ];
});
