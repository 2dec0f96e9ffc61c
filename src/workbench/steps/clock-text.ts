/** What is left of a time: `59:30`, `1:02:00`. */
export function clockText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = hours > 0 ? [String(hours), String(minutes).padStart(2, "0")] : [String(minutes)];
  return [...parts, String(rest).padStart(2, "0")].join(":");
}
