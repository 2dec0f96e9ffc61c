// Everything may be read; the sitemap is named once it is known where the site is.

import type { APIRoute } from "astro";
import { address } from "../course/addresses.ts";

export const GET: APIRoute = ({ site }) => {
  const lines = ["User-agent: *", "Allow: /"];
  if (site !== undefined) lines.push("", `Sitemap: ${new URL(address("sitemap-index.xml"), site).href}`);
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
};
