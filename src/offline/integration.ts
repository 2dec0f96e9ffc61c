// After the build: lists the built files by language, and writes that list and the service worker that keeps them.

import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { build } from "vite";
import { type OfflineFiles, offlineFilesName, sortFiles } from "./files.ts";

/** Stands behind the integrations that write files of the site: it needs them all. */
export function offlineUse(): AstroIntegration {
  return {
    name: "pilothouse-offline",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const folder = fileURLToPath(dir);
        const files = await listFiles(folder);
        await writeFile(join(folder, offlineFilesName), JSON.stringify(files));
        await writeWorker(folder);
        logger.info(`version ${files.version}: ${files.shared.length} shared files`);
      },
    },
  };
}

async function listFiles(folder: string): Promise<OfflineFiles> {
  const hashes = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).split(sep).join("/").replace(/^\//, "");
    hashes.set(name, hashOf(await readFile(path)));
  }
  const whole = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(" "));
  return sortFiles(hashes, hashOf(whole.join("\n")));
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 10);
}

async function writeWorker(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: fileURLToPath(new URL("service-worker.ts", import.meta.url)),
        output: { entryFileNames: "sw.js", format: "iife" },
      },
    },
  });
}
