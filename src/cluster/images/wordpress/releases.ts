// The releases of WordPress that can be pulled.

export interface WordpressRelease {
  readonly version: string;
  readonly php: string;
  readonly apache: string;
  readonly tags: readonly string[];
  readonly sizeBytes: number;
}

export const wordpressReleases: readonly WordpressRelease[] = [
  {
    version: "6.2.1",
    php: "8.0.28",
    apache: "2.4.56",
    tags: ["6.2.1", "6.2.1-apache", "6.2", "6.2-apache"],
    sizeBytes: 207_180_432,
  },
  {
    version: "6.9",
    php: "8.3.28",
    apache: "2.4.65",
    tags: ["6", "6-apache", "6.9", "6.9-apache", "6.9.0", "6.9.0-apache", "apache", "latest"],
    sizeBytes: 253_841_990,
  },
];

export function wordpressProgramName(version: string): string {
  return `wordpress ${version}`;
}
