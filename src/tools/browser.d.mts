/** Path of a Chromium: PILOTHOUSE_CHROMIUM, or the first on the PATH. */
export function findChromium(): string | undefined;

/** Path of a Firefox: PILOTHOUSE_FIREFOX, or the first on the PATH. */
export function findFirefox(): string | undefined;

/** What to say where there is none. */
export const withoutFirefox: string;
