// docker.io/library/mysql. Its programs come late (`../server-programs.ts`).

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { digestOf } from "../fingerprint.ts";
import type { Image } from "../image.ts";
import { slimDebianTools, withRelease } from "../tools.ts";
import { type MysqlRelease, mysqlPrograms, mysqlReleases } from "./releases.ts";

const oracleLinux =
  'NAME="Oracle Linux Server"\nVERSION="9.6"\nID="ol"\nID_LIKE="fedora"\nVERSION_ID="9.6"\nPRETTY_NAME="Oracle Linux Server 9.6"\n';

const base = withRelease(slimDebianTools, oracleLinux);

function filesOf({ version }: MysqlRelease): FileTree {
  const names = mysqlPrograms(version);
  const program = (name: string, sizeBytes: number): TreeEntry => ({ type: "program", program: lateProgram(name), sizeBytes });
  return new Map<string, TreeEntry>([
    ...base,
    ["/usr/local/bin/docker-entrypoint.sh", program(names.entrypoint, 14_203)],
    ["/usr/sbin/mysqld", program(names.server, 66_213_704)],
    ["/usr/bin/mysql", program(names.client, 7_704_312)],
    ["/usr/bin/mysqladmin", program(names.admin, 7_203_496)],
    ["/var/lib/mysql", { type: "directory" }],
    ["/docker-entrypoint-initdb.d", { type: "directory" }],
  ]);
}

export const mysqlImages: readonly Image[] = mysqlReleases.flatMap((release) => {
  const files = filesOf(release);
  return release.tags.map((tag) => ({
    repository: "docker.io/library/mysql",
    tag,
    digest: digestOf(`mysql ${release.version}`),
    sizeBytes: release.sizeBytes,
    config: {
      entrypoint: ["docker-entrypoint.sh"],
      cmd: ["mysqld"],
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        MYSQL_MAJOR: release.version.split(".").slice(0, 2).join("."),
        MYSQL_VERSION: release.package,
      },
      workingDir: "/",
      user: "",
      exposedPorts: [3306, 33_060],
      stopSignal: "TERM",
      labels: {},
    },
    files,
  }));
});
