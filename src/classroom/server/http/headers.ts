// What browsers may do with our pages: nothing but what comes from here. Pages have a few scripts of their own written into
// them, known by their hashes.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Hashes of the scripts that stand in the pages of a built site, as a policy names them. */
export function inlineScripts(folder: string): readonly string[] {
  const hashes = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue;
    for (const [, attributes = "", text = ""] of readFileSync(join(folder, name), "utf8").matchAll(
      /<script([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      const isData = /type="(?!module|text\/javascript)/.test(attributes);
      if (text !== "" && !isData) hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    }
  }
  return [...hashes].sort();
}

export async function secureHeaders(app: FastifyInstance, scripts: readonly string[], secure: boolean): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        // The terminal and the editor write their own style sheets.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: "same-origin" },
    frameguard: { action: "deny" },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
}
