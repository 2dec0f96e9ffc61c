// One file per lab and language, fetched when the lab is opened: its definition and its texts, Markdown already rendered.

import type { APIRoute, GetStaticPaths } from "astro";
import { bundleLab, labIds, labLocales } from "#lab/catalog.ts";
import { withLessons } from "../../course/capstones.ts";
import { labSources } from "../../course/labs.ts";

export const getStaticPaths: GetStaticPaths = () =>
  labIds(labSources).flatMap((id) =>
    labLocales
      .filter((locale) => labSources[`labs/${id}/${locale}.yaml`] !== undefined)
      .map((locale) => ({ params: { bundle: `${id}.${locale}` }, props: { id, locale } })),
  );

export const GET: APIRoute = async ({ props }) => {
  const locale = labLocales.find((candidate) => candidate === props["locale"]);
  if (locale === undefined) throw new Error(`no labs in "${String(props["locale"])}"`);
  return Response.json(await withLessons(bundleLab(labSources, String(props["id"]), locale), locale));
};
