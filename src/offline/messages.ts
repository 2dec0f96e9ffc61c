// What pages and the service worker say to each other.

import type { Locale } from "../i18n/locales.ts";

export type ToWorker =
  /** Keep everything a reader of this language needs. `version` is the page's own (`servedVersion`), if a worker answered it. */
  | { readonly kind: "keep"; readonly locale: Locale; readonly version: string | undefined }
  /** A newer worker waits: it may take over if no other page is open. */
  | { readonly kind: "take-over" }
  /** Is the version that the page was answered from still the one that answers? */
  | { readonly kind: "served"; readonly version: string };

export type FromWorker =
  /** All files of this language are kept. */
  | { readonly kind: "kept"; readonly locale: Locale }
  /** The page is of a version that has given way. */
  | { readonly kind: "outdated" };

/** The name under which a page's answer carries its version: Server-Timing is the one header that a page can read of itself. */
export const versionMetric = "version";
