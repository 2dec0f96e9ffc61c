// busybox's ps, as its usual configuration makes it (procps/ps.c with FEATURE_PS_TIME and FEATURE_PS_ADDITIONAL_COLUMNS).

import type { Process, ProcessInfo, Sys } from "#sim/program.ts";
import { groupName, userName } from "../../toolkit/accounts.ts";
import { parseOptions } from "../../toolkit/options.ts";
import { commandOf, pad2, shortName, stateLetter } from "../../toolkit/process-columns.ts";
import { type Tool, ToolFailure, UsageFailure } from "../../toolkit/tool.ts";

export const busyboxUsage =
  "ps [-o COL1,COL2=HEADER] [-T]\n\nShow list of processes\n\n\t-o COL1,COL2=HEADER\tSelect columns for display\n\t-T\t\t\tShow threads";

interface Column {
  readonly width: number;
  readonly title: string;
  readonly value: (self: Process, info: ProcessInfo) => string;
}

/** Of a line, and of the column that takes the rest of it. */
const maximumWidth = 2048;
const named = (name: string) => name.slice(0, 8);
const number = (value: number) => String(value).padStart(5);

/** In the order in which they are told to who asks for another. */
const columns: { readonly [name: string]: Column } = {
  user: { width: 8, title: "USER", value: (self, { uid }) => named(userName(self, uid)) },
  group: { width: 8, title: "GROUP", value: (self, { gid }) => named(groupName(self, gid)) },
  comm: { width: 16, title: "COMMAND", value: (_self, info) => shortName(info) },
  args: { width: maximumWidth, title: "COMMAND", value: (_self, info) => commandOf(info) },
  pid: { width: 5, title: "PID", value: (_self, { pid }) => number(pid) },
  ppid: { width: 5, title: "PPID", value: (_self, { ppid }) => number(ppid) },
  pgid: { width: 5, title: "PGID", value: (_self, { pgid }) => number(pgid) },
  etime: { width: 7, title: "ELAPSED", value: (self, { startedMs }) => timeText(self.nowMs - startedMs) },
  nice: { width: 5, title: "NI", value: () => number(0) },
  rgroup: { width: 8, title: "RGROUP", value: (self, { gid }) => named(groupName(self, gid)) },
  ruser: { width: 8, title: "RUSER", value: (self, { uid }) => named(userName(self, uid)) },
  time: { width: 5, title: "TIME", value: (_self, { cpuMs }) => timeText(cpuMs) },
  tty: { width: 6, title: "TT", value: (_self, { tty }) => tty?.replace(/^\/dev\/pts\//u, "136,") ?? "?" },
  vsz: { width: 4, title: "VSZ", value: (_self, { memoryBytes }) => sizeText(memoryBytes) },
  sid: { width: 5, title: "SID", value: (_self, { sid }) => number(sid) },
  stat: { width: 4, title: "STAT", value: (_self, info) => `${stateLetter(info)}  ` },
  rss: { width: 4, title: "RSS", value: (_self, { memoryBytes }) => sizeText(memoryBytes) },
};

/** Minutes and seconds, hours and minutes, or days and hours. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(seconds / unit)) as [number, number, number];
  if (minutes < 60) return `${String(minutes).padStart(2)}:${pad2(seconds % 60)}`;
  if (hours < 24) return `${String(hours).padStart(2)}h${pad2(minutes % 60)}`;
  return days < 100 ? `${String(days).padStart(2)}d${pad2(hours % 24)}` : `${String(days).padStart(4)}d`;
}

/** Of kilobytes, in four places: `8960`, `9.8m`, ` 12m`. */
export function sizeText(bytes: number): string {
  const kilobytes = Math.round(bytes / 1024);
  if (kilobytes < 10_000) return String(kilobytes).padStart(4);
  let tenths = kilobytes * 10;
  let unit = "";
  for (const next of "mgtp") {
    tenths = Math.floor(tenths / 1024);
    unit = next;
    if (tenths < 10_000) break;
  }
  return tenths < 100
    ? `${Math.floor(tenths / 10)}.${tenths % 10}${unit}`
    : `${String(Math.floor(tenths / 10)).padStart(3)}${unit}`;
}

/** `pid,args=WHAT`: only the last of a list has a title of its own, which may have commas. Throws ToolFailure. */
function columnsOf(format: string): readonly Column[] {
  const [, list = "", title] = /^([^=]*)(?:=(.*))?$/su.exec(format) ?? [];
  const chosen = list.split(",").map((name) => {
    const column = columns[name.slice(0, 6)];
    if (column !== undefined) return column;
    throw new ToolFailure(`bad -o argument '${name}', supported arguments: ${Object.keys(columns).join(",")}`);
  });
  const last = chosen.at(-1);
  if (title === undefined || last === undefined) return chosen;
  return [...chosen.slice(0, -1), { ...last, title, width: title.length || last.width }];
}

/** Which processes are shown no option says: all are. Throws UsageFailure, ToolFailure. */
export function* busyboxPs(tool: Tool): Sys<number> {
  const { self } = tool;
  if (tool.operands[0] === "--help") throw new UsageFailure("", 0);
  parseOptions(
    tool,
    {
      name: "ps",
      options: "Z o= a A d e f l T",
      unsupported: "T",
      *run() {
        return 0;
      },
    },
    tool.operands,
  );
  const formats = tool.values("o");
  let shown = formats.length === 0 ? columnsOf("pid,user,time,args") : formats.flatMap(columnsOf);
  const lineWidth = self.isTty(1) ? Math.min(self.terminal(1).columns - 1, maximumWidth) : maximumWidth;
  let used = 0;
  // A column that does not fit is the last one.
  const end = shown.findIndex(({ width }) => {
    used += width + 1;
    return used > lineWidth;
  });
  if (end >= 0) shown = shown.slice(0, end + 1);
  const line = (cells: readonly string[]) =>
    `${cells
      .map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd((shown[index] as Column).width)))
      .join(" ")
      .slice(0, lineWidth)}\n`;
  if (shown.some(({ title }) => title !== "")) yield* tool.print(line(shown.map(({ title }) => title)));
  for (const info of self.processes()) yield* tool.print(line(shown.map(({ value }) => value(self, info))));
  return 0;
}
