// Sizes for people.

/** 1.5K, 12M as -h prints. */
export function humanSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < 5) {
    size /= 1024;
    unit += 1;
  }
  if (unit === 0) return String(bytes);
  return `${size < 10 ? (Math.ceil(size * 10) / 10).toFixed(1) : Math.ceil(size)}${"KMGTP"[unit - 1]}`;
}
