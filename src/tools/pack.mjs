// Beside each text of the built site it lies packed, `name.br` and `name.gz`, for servers that give such files as they are: nothing is
// packed while a reader waits, and better than in passing.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** What a server may say of a packed file, the better one first, and how its name ends. */
export const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

const texts = new Set([".html", ".js", ".css", ".json", ".svg", ".xml", ".txt", ".webmanifest"]);
/** Smaller ones fit into a packet either way. */
const smallestBytes = 512;
/** As good as it gets for code, which every reader loads and which is a few files; pages are many, and half a per cent larger so. */
const brotliQuality = (path) => (/[\\/]assets[\\/]/.test(path) ? 11 : 9);

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** @param {string} folder @returns {Promise<number>} texts that were packed */
export async function packFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && texts.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  const waiting = [...paths];
  // The library packs on threads of its own, four at a time.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await packFile(path);
    }),
  );
  return paths.length;
}

/** @param {string} path */
async function packFile(path) {
  const content = await readFile(path);
  if (content.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality(path), [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${path}.br`, await brotli(content, { params }));
  await writeFile(`${path}.gz`, await zip(content, { level: 9 }));
}

/** Stands last among the integrations: what is written later is not packed. */
export function packedFiles() {
  return {
    name: "pilothouse-packed",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        logger.info(`${await packFolder(fileURLToPath(dir))} texts packed`);
      },
    },
  };
}
