// The steps as the page shows them: what the world says of them, in the words of the lab's language.

import { cutFirstSentence } from "./first-sentence.ts";
import type { StepState } from "./lab-run.ts";
import { hintCost, mostOf, worthOf } from "./score.ts";
import type { MissingCheck, StepView } from "./session.ts";
import { fillIn, type LabBundle, type RenderedStep } from "./texts.ts";

interface StepsSeen {
  readonly bundle: LabBundle;
  /** In the order of the lab's steps; none before the world has told. */
  readonly states: readonly StepState[];
  /** Hints shown, by step. */
  readonly hints: ReadonlyMap<string, number>;
  /** Steps whose solution was asked for. */
  readonly solutions: ReadonlySet<string>;
  readonly isExamOn: boolean;
}

export function stepViewsOf({ bundle, states, hints, solutions, isExamOn }: StepsSeen): readonly StepView[] {
  const current = states.findIndex((state) => !state.passed);
  return bundle.definition.steps.flatMap((step, index): readonly StepView[] => {
    const texts = bundle.steps[step.id];
    if (texts === undefined) return [];
    const state = states[index];
    const passed = state?.passed === true;
    const shown = Math.min(hints.get(step.id) ?? 0, texts.hintsHtml.length);
    const solved = solutions.has(step.id);
    const unmet = state?.unmet ?? [];
    const met = passed ? step.checks.map(({ id }) => id) : (state?.met ?? []);
    return [
      {
        id: step.id,
        title: texts.title,
        taskHtml: texts.taskHtml,
        status: passed ? "passed" : "open",
        current: index === current,
        open: !passed && state?.openedMs !== undefined,
        openedMs: state?.openedMs,
        missing: isExamOn
          ? []
          : sentences(
              unmet.filter(({ lastsMs }) => lastsMs === undefined),
              texts,
            ),
        lastsMs: isExamOn ? undefined : waitOf(unmet),
        fault: state?.fault,
        met: isExamOn ? [] : met,
        why: passed && !isExamOn ? cutFirstSentence(texts.solutionHtml) : undefined,
        hintsShown: texts.hintsHtml.slice(0, shown),
        hintsLeft: isExamOn ? 0 : texts.hintsHtml.length - shown,
        worth: bundle.definition.capstone === true ? mostOf(step) : worthOf(shown, solved),
        most: mostOf(step),
        hintCost: hintCost(shown),
        solution: solved ? { commands: step.solution, explanationHtml: texts.solutionHtml } : undefined,
      },
    ];
  });
}

/** How long what holds has to go on, where nothing else is missing: what would say that it does not hold is not said. */
function waitOf(unmet: StepState["unmet"]): number | undefined {
  const lasting = unmet.flatMap(({ lastsMs }) => lastsMs ?? []);
  return lasting.length > 0 && lasting.length === unmet.length ? Math.max(...lasting) : undefined;
}

/** What is missing, in words. */
export function sentences(
  unmet: readonly { readonly check: string; readonly values: { readonly [name: string]: string } }[],
  { missing }: RenderedStep,
): readonly MissingCheck[] {
  return unmet.map(({ check, values }) => ({ check, text: fillIn(missing[check] ?? check, values) }));
}
