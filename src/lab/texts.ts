// A lab as the page gets it: the definition for the worker, and the texts of one language with their Markdown rendered.
// Made at build time by `catalog.ts`, served as one JSON file a lab and language.

import type { LabDefinition } from "./definition.ts";
import type { LessonLink } from "./session.ts";

export interface RenderedStep {
  readonly title: string;
  readonly taskHtml: string;
  readonly hintsHtml: readonly string[];
  readonly solutionHtml: string;
  readonly missing: { readonly [check: string]: string };
  /** Of a capstone's task, filled in by the site. */
  readonly lesson?: LessonLink | undefined;
}

export interface LabBundle {
  readonly definition: LabDefinition;
  readonly title: string;
  readonly goalHtml: string;
  readonly steps: { readonly [id: string]: RenderedStep };
}

/** Fills `{name}` in a sentence. */
export function fillIn(sentence: string, values: { readonly [name: string]: string }): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
