// The code of the servers that images carry beside web servers, provided as late programs: only lessons that run them wait for it.

import type { Program } from "#sim/program.ts";
import { redisCliProgram } from "./redis/cli.ts";
import { redisEntrypoint, redisServerProgram } from "./redis/program.ts";
import { redisPrograms, redisReleases } from "./redis/releases.ts";

export const serverPrograms: ReadonlyMap<string, Program> = new Map(
  redisReleases.flatMap(({ version }) => {
    const names = redisPrograms(version);
    return [
      [names.entrypoint, redisEntrypoint(version)] as const,
      [names.server, redisServerProgram(version)] as const,
      [names.cli, redisCliProgram(version)] as const,
    ];
  }),
);
