// The code of the servers that images carry, provided as late programs: nothing of it is needed to start a cluster.

import type { Program } from "#sim/program.ts";
import { httpd } from "./httpd/program.ts";
import { httpdProgramName } from "./httpd/release.ts";
import { mysqladminProgram, mysqlProgram } from "./mysql/client.ts";
import { mysqlPrograms, mysqlReleases } from "./mysql/releases.ts";
import { mysqldProgram, mysqlEntrypoint } from "./mysql/server.ts";
import { nginxEntrypoint } from "./nginx/entrypoint.ts";
import { nginxProgram } from "./nginx/program.ts";
import { nginxOfTests, nginxPrograms, nginxReleases } from "./nginx/releases.ts";
import { redisCliProgram } from "./redis/cli.ts";
import { redisEntrypoint, redisServerProgram } from "./redis/program.ts";
import { redisPrograms, redisReleases } from "./redis/releases.ts";
import { samplePrograms } from "./samples/programs.ts";
import { wordpressProgram } from "./wordpress/program.ts";
import { wordpressProgramName, wordpressReleases } from "./wordpress/releases.ts";

const nginx = [...nginxReleases, nginxOfTests].flatMap((release) => {
  const names = nginxPrograms(release);
  const program = nginxProgram(release);
  return [[names.server, program] as const, [names.entrypoint, nginxEntrypoint(program)] as const];
});

const redis = redisReleases.flatMap(({ version }) => {
  const names = redisPrograms(version);
  return [
    [names.entrypoint, redisEntrypoint(version)] as const,
    [names.server, redisServerProgram(version)] as const,
    [names.cli, redisCliProgram(version)] as const,
  ];
});

const mysql = mysqlReleases.flatMap((release) => {
  const names = mysqlPrograms(release.version);
  return [
    [names.entrypoint, mysqlEntrypoint(release)] as const,
    [names.server, mysqldProgram(release)] as const,
    [names.client, mysqlProgram(release)] as const,
    [names.admin, mysqladminProgram(release)] as const,
  ];
});

const wordpress = wordpressReleases.map((release) => [wordpressProgramName(release.version), wordpressProgram(release)] as const);

export const serverPrograms: ReadonlyMap<string, Program> = new Map([
  ...nginx,
  [httpdProgramName, httpd] as const,
  ...redis,
  ...mysql,
  ...wordpress,
  ...samplePrograms,
]);
