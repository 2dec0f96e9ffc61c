// Changes to a class's plan: lessons in the teacher's order, each at most once.

import type { Plan } from "../../wire.ts";

type Planned = Plan[number];

export function added(plan: Plan, lessons: readonly string[]): Plan {
  const known = new Set(plan.map(({ lesson }) => lesson));
  const fresh = lessons.filter((lesson) => !known.has(lesson));
  return [...plan, ...fresh.map((lesson): Planned => ({ lesson, from: null, until: null }))];
}

export function removed(plan: Plan, lesson: string): Plan {
  return plan.filter((planned) => planned.lesson !== lesson);
}

/** One place up (-1) or down (1); at the ends nothing moves. */
export function moved(plan: Plan, lesson: string, by: -1 | 1): Plan {
  const from = plan.findIndex((planned) => planned.lesson === lesson);
  const to = from + by;
  const [one, other] = [plan[from], plan[to]];
  if (one === undefined || other === undefined) return plan;
  return plan.with(from, other).with(to, one);
}

export function dated(plan: Plan, lesson: string, dates: Partial<Pick<Planned, "from" | "until">>): Plan {
  return plan.map((planned) => (planned.lesson === lesson ? { ...planned, ...dates } : planned));
}

/** It would never be open. */
export function isBackwards({ from, until }: Planned): boolean {
  return from !== null && until !== null && until <= from;
}
