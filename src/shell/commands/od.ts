import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

const radixes: { readonly [letter: string]: number } = { x: 16, o: 8, d: 10, u: 10 };

/** What `-c` writes for the bytes that C has an escape for. */
const names: { readonly [code: number]: string } = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

export const od: CommandDefinition = {
  name: "od",
  options: "A= t= c x b d o v N= j= w=?",
  usage: "od [-aBbcDdeFfHhIiLlOovXx] [FILE]",
  *run(tool) {
    const bytes = yield* tool.readAll(tool.operands[0] ?? "-");
    const limited = tool.has("N") ? bytes.subarray(0, Number(tool.value("N"))) : bytes;
    const usual = tool.has("x") ? "x2" : "o2";
    const type = tool.value("t") ?? (tool.has("c") ? "c" : usual);
    const base = tool.value("A") ?? "o";
    const offset = (value: number) => (base === "n" ? "" : value.toString(radixes[base] ?? 8).padStart(base === "x" ? 6 : 7, "0"));
    for (let i = 0; i < limited.length; i += 16) {
      const row = limited.subarray(i, i + 16);
      let text = offset(i);
      if (type.startsWith("c"))
        for (const value of row)
          text += (
            names[value] ?? (value >= 32 && value < 127 ? String.fromCharCode(value) : value.toString(8).padStart(3, "0"))
          ).padStart(4);
      else if (/^[xodu]1/u.test(type)) {
        const radix = radixes[type[0] as string] as number;
        const width = { x: 2, o: 3, d: 4, u: 3 }[type[0] as "x"] as number;
        for (const value of row)
          text += ` ${value.toString(radix).padStart(width, type[0] === "x" || type[0] === "o" ? "0" : " ")}`;
      } else if (/^[xo]2?$/u.test(type)) {
        for (let at = 0; at < row.length; at += 2) {
          const value = (row[at] as number) | ((row[at + 1] ?? 0) << 8);
          text += ` ${value.toString(type[0] === "x" ? 16 : 8).padStart(type[0] === "x" ? 4 : 6, "0")}`;
        }
      } else throw new ToolFailure(`invalid type string '${type}'`);
      yield* tool.print(`${text}\n`);
    }
    if (base !== "n") yield* tool.print(`${offset(limited.length)}\n`);
    return 0;
  },
};
