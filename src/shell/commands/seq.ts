import { expandEscapes } from "../text/escapes.ts";
import { formatOne, readOptions } from "../text/printf.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const seq: CommandDefinition = {
  name: "seq",
  *run(tool) {
    let separator = "\n";
    let format: string | undefined;
    let equal = false;
    let words = [...tool.operands];
    while (words[0] !== undefined && /^-[^\d.]/u.test(words[0])) {
      const word = words[0];
      if (word === "-w") equal = true;
      else if (word.startsWith("-s"))
        separator = expandEscapes(word.length > 2 ? word.slice(2) : (words.splice(1, 1)[0] ?? ""), false).text;
      else if (word.startsWith("-f")) format = word.length > 2 ? word.slice(2) : (words.splice(1, 1)[0] ?? "");
      else throw new UsageFailure(`invalid option -- '${word.slice(1, 2)}'`);
      words = words.slice(1);
    }
    if (words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    if (words.length > 3) throw new UsageFailure(tool.gnu ? `extra operand ‘${words[3]}’` : "");
    const numbers = words.map((word) => {
      if (word.trim() === "" || Number.isNaN(Number(word)))
        throw new UsageFailure(tool.gnu ? `invalid floating point argument: ‘${word}’` : `invalid number '${word}'`);
      return Number(word);
    });
    const first = numbers.length > 1 ? (numbers[0] as number) : 1;
    const step = numbers.length > 2 ? (numbers[1] as number) : 1;
    const last = numbers.at(-1) as number;
    if (step === 0) throw new UsageFailure(`invalid Zero increment value: '${words[1]}'`);
    const places = Math.max(
      ...words.slice(0, words.length === 3 ? 2 : 1).map((word) => (words.length === 1 ? 0 : (word.split(".")[1]?.length ?? 0))),
    );
    const width = Math.max(first.toFixed(places).length, last.toFixed(places).length);
    const count = Math.floor((last - first) / step + 1e-9);
    for (let i = 0; i <= count; i += 1) {
      const value = first + i * step;
      let text = value.toFixed(places);
      if (format !== undefined) {
        text = format.replace(/%([-+ 0#]*)(\d+)?(?:\.(\d+))?([efgEG])/u, (_all, flags, wide, precision, kind) =>
          formatOne(
            kind,
            String(value),
            readOptions(flags, wide, precision, () => 0),
            [],
          ),
        );
      } else if (equal) text = text.startsWith("-") ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
      yield* tool.print((i > 0 ? separator : "") + text);
      if (i % 512 === 511) tool.self.spend(512);
    }
    if (count >= 0) yield* tool.print("\n");
    return 0;
  },
};
