// Build time: reads labs from their files, renders their texts, and fails with path, line and what is expected. How the
// files are found is the caller's business: the site has them from its bundler, tests from the disk.

import { markdownToHtml } from "satteri";
import { type LabDefinition, type LabTexts, readLab, readLabTexts } from "./definition.ts";
import type { LabBundle, RenderedStep } from "./texts.ts";

/** Path → text of everything below `labs/`, paths beginning with `labs/`. */
export type LabSources = { readonly [path: string]: string };

export const labLocales = ["fr", "zh", "ja", "es"] as const;

export type LabLocale = (typeof labLocales)[number];

export function labIds(sources: LabSources): readonly string[] {
  return Object.keys(sources)
    .flatMap((path) => /^labs\/([^/]+)\/lab\.yaml$/.exec(path)?.[1] ?? [])
    .sort();
}

export function labFromSources(sources: LabSources, id: string): LabDefinition {
  const path = `labs/${id}/lab.yaml`;
  const text = sources[path];
  if (text === undefined) throw new Error(`${path} does not exist`);
  const folder = `labs/${id}/files/`;
  const files = Object.entries(sources).flatMap(([name, content]) =>
    name.startsWith(folder) ? [[name.slice(folder.length), content] as const] : [],
  );
  return readLab(id, path, text, Object.fromEntries(files));
}

export function labTextsFromSources(sources: LabSources, lab: LabDefinition, locale: LabLocale): LabTexts {
  const path = `labs/${lab.id}/${locale}.yaml`;
  const text = sources[path];
  if (text === undefined) throw new Error(`${path} does not exist: a lab has texts in ${labLocales.join(", ")}`);
  return readLabTexts(lab, path, text);
}

export function bundleLab(sources: LabSources, id: string, locale: LabLocale): LabBundle {
  const definition = labFromSources(sources, id);
  const texts = labTextsFromSources(sources, definition, locale);
  const steps = Object.entries(texts.steps).map(
    ([step, { title, task, hints, solution, missing }]): readonly [string, RenderedStep] => [
      step,
      { title, taskHtml: html(task), hintsHtml: hints.map(html), solutionHtml: html(solution), missing },
    ],
  );
  return { definition, title: texts.title, goalHtml: html(texts.goal), steps: Object.fromEntries(steps) };
}

function html(markdown: string): string {
  return markdownToHtml(markdown).html.trim();
}
