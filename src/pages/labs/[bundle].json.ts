// One file per lab and language, fetched when the lab is opened: its definition and its texts, Markdown already rendered.

import type { APIRoute, GetStaticPaths } from "astro";
import { bundleLab, type LabSources, labIds, labLocales } from "#lab/catalog.ts";

const files: Readonly<Record<string, string>> = import.meta.glob("/labs/**/*", { query: "?raw", import: "default", eager: true });
const sources: LabSources = Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace(/^\//, ""), text]));

export const getStaticPaths: GetStaticPaths = () =>
  labIds(sources).flatMap((id) =>
    labLocales
      .filter((locale) => sources[`labs/${id}/${locale}.yaml`] !== undefined)
      .map((locale) => ({ params: { bundle: `${id}.${locale}` }, props: { id, locale } })),
  );

export const GET: APIRoute = ({ props }) => {
  const locale = labLocales.find((candidate) => candidate === props["locale"]);
  if (locale === undefined) throw new Error(`no labs in "${String(props["locale"])}"`);
  return Response.json(bundleLab(sources, String(props["id"]), locale));
};
