// What pages and the service worker say to each other.

import type { Locale } from "../i18n/locales.ts";

export type ToWorker =
  /** Keep everything a reader of this language needs. */
  | { readonly kind: "keep"; readonly locale: Locale }
  /** A newer worker waits: it may take over if no other page is open. */
  | { readonly kind: "take-over" };

/** All files of this language are kept. */
export interface FromWorker {
  readonly kind: "kept";
  readonly locale: Locale;
}
