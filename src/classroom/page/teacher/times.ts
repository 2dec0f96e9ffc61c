// Moments as the teacher reads them: in their language, in the zone of their computer.

export function momentText(language: string, timeMs: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(timeMs);
}

export function dayText(language: string, timeMs: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(timeMs);
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** What a `datetime-local` field holds for a moment; "" for none. */
export function fieldValue(timeMs: number | null): string {
  if (timeMs === null) return "";
  const date = new Date(timeMs);
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment that such a field holds; null when it is empty or half filled in. */
export function fieldTime(value: string): number | null {
  const timeMs = new Date(value).getTime();
  return value === "" || Number.isNaN(timeMs) ? null : timeMs;
}
