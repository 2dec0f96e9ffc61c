// Names of time zones (Go's time.LoadLocation). The runtime's own table answers; it knows nothing of the present time.

/** Names are files on a real server: their case counts, and offsets such as `+01` are none. */
export function isTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
