// The releases of nginx that can be pulled, and what their programs are called among those that come late.

export interface NginxRelease {
  /** `1.27.5` */
  readonly version: string;
  /** `gcc 12.2.0 (Debian 12.2.0-14+deb12u1)` */
  readonly compiler: string;
  /** Newer images log at level notice, older ones at warn. */
  readonly logsNotices: boolean;
}

export interface NginxImageRelease extends NginxRelease {
  readonly tags: readonly string[];
  readonly alpineTags: readonly string[];
  readonly sizeBytes: number;
  readonly alpineSizeBytes: number;
}

const gcc12 = "gcc 12.2.0 (Debian 12.2.0-14+deb12u1)";
export const nginxReleases: readonly NginxImageRelease[] = [
  {
    version: "1.7.9",
    tags: ["1.7.9"],
    alpineTags: [],
    compiler: "gcc 4.7.2",
    logsNotices: false,
    sizeBytes: 39_906_154,
    alpineSizeBytes: 0,
  },
  {
    version: "1.9.1",
    tags: ["1.9.1"],
    alpineTags: [],
    compiler: "gcc 4.9.2",
    logsNotices: false,
    sizeBytes: 52_928_117,
    alpineSizeBytes: 0,
  },
  {
    version: "1.14.2",
    tags: ["1.14.2", "1.14"],
    alpineTags: ["1.14.2-alpine", "1.14-alpine"],
    compiler: "gcc 6.3.0",
    logsNotices: false,
    sizeBytes: 44_710_204,
    alpineSizeBytes: 6_978_806,
  },
  {
    version: "1.16.1",
    tags: ["1.16.1", "1.16"],
    alpineTags: ["1.16.1-alpine", "1.16-alpine"],
    compiler: "gcc 8.3.0",
    logsNotices: false,
    sizeBytes: 51_030_575,
    alpineSizeBytes: 8_902_016,
  },
  {
    version: "1.25.5",
    tags: ["1.25", "1.25.5"],
    alpineTags: ["1.25-alpine", "1.25.5-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 71_005_258,
    alpineSizeBytes: 18_258_121,
  },
  {
    version: "1.27.5",
    tags: ["1.27", "1.27.5"],
    alpineTags: ["1.27-alpine", "1.27.5-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 72_404_038,
    alpineSizeBytes: 20_869_131,
  },
  {
    version: "1.28.0",
    tags: ["1.28", "1.28.0", "stable"],
    alpineTags: ["1.28-alpine", "1.28.0-alpine", "stable-alpine"],
    compiler: gcc12,
    logsNotices: true,
    sizeBytes: 72_231_194,
    alpineSizeBytes: 20_912_703,
  },
  {
    version: "1.29.4",
    tags: ["1.29", "1.29.4", "mainline", "latest"],
    alpineTags: ["1.29-alpine", "1.29.4-alpine", "mainline-alpine", "alpine"],
    compiler: "gcc 14.2.0 (Debian 14.2.0-19)",
    logsNotices: true,
    sizeBytes: 62_939_286,
    alpineSizeBytes: 21_703_445,
  },
];

/** What the nginx of Kubernetes' own tests is built on; its declaration comes late. */
export const nginxOfTests: NginxImageRelease = {
  version: "1.15.12",
  tags: [],
  alpineTags: ["1.15.12-alpine"],
  compiler: "gcc 6.4.0 (Alpine 6.4.0)",
  logsNotices: false,
  sizeBytes: 0,
  alpineSizeBytes: 6_887_936,
};

export function nginxPrograms({ version }: NginxRelease) {
  return { entrypoint: `nginx-entrypoint ${version}`, server: `nginx ${version}` };
}
