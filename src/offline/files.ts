// Which built files a reader of one language needs without a connection.

import { type Locale, locales } from "../i18n/locales.ts";

/** A file's address below the site's folder ("fr/about/") and a hash of its content. */
export type OfflineFile = readonly [address: string, hash: string];

/** What the service worker keeps: for everybody, and for readers of a language. */
export interface OfflineFiles {
  /** Changes whenever any file does. */
  readonly version: string;
  readonly shared: readonly OfflineFile[];
  readonly languages: Readonly<Record<Locale, readonly OfflineFile[]>>;
}

/** Where the built site says which files it has, as JSON (`OfflineFiles`). */
export const offlineFilesName = "offline-files.json";

/** Files for servers and search engines, the worker, and the list of the others; the pages that join a class and check a certificate, which need their server. */
const onlineOnly = /^(sw\.js|offline-files\.json|robots\.txt|sitemap.*\.xml|404\.html|\w\w\/(join|verify)\/index\.html)$/;

/** The teacher's page and what it alone loads, and what the server reads: without its server it has nothing to say. */
const teachersOnly = /^((\w\w\/)?class\/index\.html|\w\w\/outline\.json|assets\/(class|shown-run)\.[^/]+)$/;

/** @param files hashes by path below the built folder, with `/` between folders. */
export function sortFiles(files: ReadonlyMap<string, string>, version: string): OfflineFiles {
  const shared: OfflineFile[] = [];
  const languages: Record<Locale, OfflineFile[]> = { fr: [], zh: [], ja: [], es: [] };
  for (const path of [...files.keys()].sort()) {
    if (onlineOnly.test(path) || teachersOnly.test(path)) continue;
    const locale = localeOf(path);
    const file: OfflineFile = [path.replace(/(^|\/)index\.html$/, "$1"), files.get(path) ?? ""];
    if (locale === undefined) shared.push(file);
    else languages[locale].push(file);
  }
  return { version, shared, languages };
}

/** Pages, and what search knows of them, lie in a language's folder; labs carry its code. */
function localeOf(path: string): Locale | undefined {
  return locales.find((locale) => path.startsWith(`${locale}/`) || (path.startsWith("labs/") && path.endsWith(`.${locale}.json`)));
}
