// The code blocks of a lesson, as the site marks them.

export interface LessonBlock {
  readonly kind: "run" | "output" | "file" | "other";
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
  /** Line of the fence in the file, from 1. */
  readonly line: number;
}

function kindOf(words: readonly string[], file: string | undefined): LessonBlock["kind"] {
  if (words.includes("run")) return "run";
  if (words.includes("output")) return "output";
  return file === undefined ? "other" : "file";
}

/** All fenced blocks in order. */
export function lessonBlocks(source: string): readonly LessonBlock[] {
  const blocks: LessonBlock[] = [];
  const lines = source.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^```(\w+)\s*(.*)$/.exec(lines[index] as string);
    if (fence === null) continue;
    const end = lines.indexOf("```", index + 1);
    const words = (fence[2] ?? "").split(/\s+/);
    const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
    blocks.push({
      kind: kindOf(words, file),
      language: fence[1] as string,
      file,
      text: lines.slice(index + 1, end).join("\n"),
      line: index + 1,
    });
    index = end;
  }
  return blocks;
}

/**
 * Output without what differs from run to run: ages, generated names, addresses, node ports that nobody asked for (30086 and
 * above), times in nginx's log, memory in use, column widths.
 */
export function normalized(output: string): string {
  return output
    .split("\n")
    .map((line) =>
      line
        .replace(/-[a-z0-9]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<hash>-<id>")
        .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<id>")
        .replace(/\b\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\b/g, "<time>")
        .replace(/\b10\.\d+\.\d+\.\d+\b/g, "<ip>")
        .replace(/\b(\d+):(?!300(?:[0-7]\d|8[0-5]))3\d{4}(?=[/ ])/g, "$1:<node-port>")
        .replace(/\b(\d+d)?(\d+h)?(\d+m)?\d+s\b/g, "<age>")
        .replace(/\b\d+m\b/g, "<age>")
        .replace(/\b\d+Mi +\d+%/g, "<memory>")
        .replace(/ {2,}/g, "  ")
        .trimEnd(),
    )
    .join("\n")
    .trim();
}
