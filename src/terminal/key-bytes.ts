// What the keys of a touch device's key row send, as xterm's own keyboard does.

export const rowKeys = ["escape", "tab", "ctrl", "up", "down", "left", "right", "pipe", "slash", "dash"] as const;
export type RowKey = (typeof rowKeys)[number];

const arrows: { readonly [key in RowKey]?: string } = { up: "A", down: "B", right: "C", left: "D" };
const plain: { readonly [key in RowKey]?: string } = { escape: "\u001b", tab: "\t", pipe: "|", slash: "/", dash: "-" };

/** `applicationCursor`: DECCKM, which full-screen programs may set. */
export function bytesOf(
  key: Exclude<RowKey, "ctrl">,
  held: { readonly ctrl: boolean; readonly applicationCursor: boolean },
): string {
  const arrow = arrows[key];
  if (arrow !== undefined) return held.ctrl ? `\u001b[1;5${arrow}` : `\u001b${held.applicationCursor ? "O" : "["}${arrow}`;
  const text = plain[key] as string;
  return held.ctrl ? withCtrl(text) : text;
}

/** A character typed while Ctrl is held: Ctrl-C is 3. Characters that have no such code stay what they are. */
export function withCtrl(data: string): string {
  if (data === " ") return "\u0000";
  if (data === "/" || data === "-") return "\u001f";
  return /^[A-Za-z@[\\\]^_]$/.test(data) ? String.fromCharCode(data.toUpperCase().charCodeAt(0) & 0x1f) : data;
}
