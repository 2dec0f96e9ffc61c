// The releases of Redis that can be pulled, and what their programs are called among those that come late.

export const redisReleases = [
  { version: "7.2.11", tags: ["7.2", "7.2.11"], sizeBytes: 45_006_722, alpineSizeBytes: 16_984_113 },
  { version: "7.4.6", tags: ["7", "7.4", "7.4.6"], sizeBytes: 46_001_938, alpineSizeBytes: 17_238_350 },
  { version: "8.0.2", tags: ["8.0.2"], sizeBytes: 49_772_207, alpineSizeBytes: 21_606_415 },
  { version: "8.2.2", tags: ["8", "8.2", "8.2.2", "latest"], sizeBytes: 52_710_326, alpineSizeBytes: 27_183_290 },
] as const;

export function redisPrograms(version: string) {
  return { entrypoint: `redis-entrypoint ${version}`, server: `redis-server ${version}`, cli: `redis-cli ${version}` };
}
