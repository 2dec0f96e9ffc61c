// What pages and the service worker say to each other.

import type { Locale } from "../i18n/locales.ts";

/** Keep everything a reader of this language needs, of the site's newest version. */
export interface ToWorker {
  readonly kind: "keep";
  readonly locale: Locale;
}

/** All files of this language are kept. */
export interface FromWorker {
  readonly kind: "kept";
  readonly locale: Locale;
}
