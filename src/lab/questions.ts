// All that the page may ask of a running lab, and what it is told. Asking changes nothing in the world.

import type { HistoryQuestions } from "#history/questions.ts";
import type { ComparedObject } from "./compared-objects.ts";
import type { LearnerQuestions } from "./learner-questions.ts";
import type { ClusterView } from "./picture-view.ts";

export interface PastView {
  readonly atMs: number;
  readonly cluster: ClusterView;
  /** How much of the past is kept. */
  readonly oldestMs: number;
}

/** Every question with its answer. */
export interface Questions extends HistoryQuestions, LearnerQuestions {
  /** The picture as it was. */
  readonly past: { readonly asked: { readonly atMs: number }; readonly answer: PastView };
  /** Images that Pods wait for and that no registry here has, unless the lab is about them. */
  readonly missingImages: { readonly asked: Record<string, never>; readonly answer: readonly string[] };
  /** All objects as runs are compared by them. */
  readonly compared: { readonly asked: Record<string, never>; readonly answer: readonly ComparedObject[] };
}

export type QuestionName = keyof Questions;
export type Asked<Name extends QuestionName> = Questions[Name]["asked"];
export type Answer<Name extends QuestionName> = Questions[Name]["answer"];
