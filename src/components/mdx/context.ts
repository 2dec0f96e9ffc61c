// What lesson components know of the page they stand on: its language, and numbers that no other component has.

import { isLocale, type Locale } from "../../i18n/locales.ts";

const counters = new WeakMap<Request, number>();
const questions = new WeakMap<Request, number>();

/** @throws Error when a lesson component stands on a page without a language. */
export function localeOf(params: Readonly<Record<string, string | undefined>>): Locale {
  const locale = params["locale"];
  if (!isLocale(locale)) throw new Error("lesson components stand on pages of a language only");
  return locale;
}

/** 1, 2, 3 … per page, for ids. */
export function nextNumber(request: Request): number {
  return next(counters, request);
}

/** 1, 2, 3 … of a page's questions. */
export function nextQuestion(request: Request): number {
  return next(questions, request);
}

function next(counted: WeakMap<Request, number>, request: Request): number {
  const number = (counted.get(request) ?? 0) + 1;
  counted.set(request, number);
  return number;
}
