// For the site's own tests: pages get a scripted session in place of the simulator. Only with PILOTHOUSE_LAB=demo.

import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export function demoLab(): Plugin {
  return {
    name: "pilothouse-demo-lab",
    enforce: "pre",
    resolveId: (source) => (source === "#lab/open.ts" ? fileURLToPath(new URL("./session.ts", import.meta.url)) : undefined),
  };
}
