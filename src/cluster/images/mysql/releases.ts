// The releases of MySQL that can be pulled, and what their programs are called among those that come late.

export interface MysqlRelease {
  readonly version: string;
  /** `8.0.44-1.el9` */
  readonly package: string;
  readonly tags: readonly string[];
  readonly sizeBytes: number;
}

export const mysqlReleases: readonly MysqlRelease[] = [
  { version: "5.7.44", package: "5.7.44-1.el7", tags: ["5.7", "5.7.44", "5"], sizeBytes: 137_909_886 },
  { version: "8.0.44", package: "8.0.44-1.el9", tags: ["8.0", "8.0.44"], sizeBytes: 233_126_934 },
  { version: "8.4.7", package: "8.4.7-1.el9", tags: ["8", "8.4", "8.4.7", "lts"], sizeBytes: 233_446_016 },
  { version: "9.5.0", package: "9.5.0-1.el9", tags: ["9", "9.5", "9.5.0", "innovation", "latest"], sizeBytes: 273_613_312 },
];

export function mysqlPrograms(version: string) {
  return {
    entrypoint: `mysql-entrypoint ${version}`,
    server: `mysqld ${version}`,
    client: `mysql ${version}`,
    admin: `mysqladmin ${version}`,
  };
}
