// wc.

import type { CommandDefinition } from "../toolkit/tool.ts";

const blanks = new Set([" ", "\t", "\n", "\v", "\f", "\r"]);

export const wc: CommandDefinition = {
  name: "wc",
  options: "l,lines w,words c,bytes m,chars L,max-line-length",
  usage: "wc [-cmlwL] [FILE]...\n\nCount lines, words, and bytes for FILEs (or stdin)",
  *run(tool) {
    const chosen = (["l", "w", "m", "c", "L"] as const).filter((letter) => tool.has(letter));
    const shown = chosen.length === 0 ? (["l", "w", "c"] as const) : chosen;
    const rows: { readonly counts: readonly number[]; readonly name: string }[] = [];
    yield* tool.eachInput(tool.operands, function* (path, fd) {
      const decoder = new TextDecoder();
      const counts = { l: 0, w: 0, c: 0, m: 0, L: 0 };
      let inWord = false;
      let column = 0;
      for (;;) {
        const bytes = yield* tool.self.read(fd, 16_384);
        tool.self.spend(bytes.length >> 4);
        counts.c += bytes.length;
        for (const char of decoder.decode(bytes, { stream: bytes.length > 0 })) {
          counts.m += 1;
          if (char === "\n") {
            counts.l += 1;
            column = 0;
          } else column += 1;
          counts.L = Math.max(counts.L, column);
          const space = char <= " " ? blanks.has(char) : char > "~" && /\s/u.test(char);
          if (!space && !inWord) counts.w += 1;
          inWord = !space;
        }
        if (bytes.length === 0) break;
      }
      rows.push({ counts: shown.map((letter) => counts[letter]), name: tool.operands.length === 0 ? "" : path });
    });
    if (rows.length > 1) {
      rows.push({
        counts: shown.map((_letter, index) => rows.reduce((sum, row) => sum + (row.counts[index] as number), 0)),
        name: "total",
      });
    }
    const widest = Math.max(...rows.flatMap((row) => row.counts.map((each) => String(each).length)), 1);
    const single = rows.length === 1 && shown.length === 1;
    let width = widest;
    if (single) width = 1;
    else if (!tool.gnu) width = 9;
    else if (tool.operands.length === 0) width = 7;
    for (const row of rows) {
      const text = row.counts.map((each) => String(each).padStart(width)).join(" ");
      yield* tool.print(`${text}${row.name === "" ? "" : ` ${row.name}`}\n`);
    }
    return 0;
  },
};
