// The nginx that the older image of Kubernetes' own tests is built on; its declaration comes late.

import type { NginxImageRelease } from "./releases.ts";

export const nginxOfTests: NginxImageRelease = {
  version: "1.15.12",
  tags: [],
  alpineTags: ["1.15.12-alpine"],
  compiler: "gcc 6.4.0 (Alpine 6.4.0)",
  logsNotices: false,
  sizeBytes: 0,
  alpineSizeBytes: 6_887_936,
};
