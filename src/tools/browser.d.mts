/** Path of a Chromium: PILOTHOUSE_CHROMIUM, or the first on the PATH. */
export function findChromium(): string | undefined;
