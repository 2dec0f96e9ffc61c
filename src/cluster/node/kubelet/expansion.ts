// $(VAR) in commands, arguments and values: known names are replaced, unknown ones stay, $$ is a literal $.

export function expand(text: string, values: ReadonlyMap<string, string>): string {
  return expandWith(text, (name) => values.get(name) ?? `$(${name})`);
}

/** As `expand`; what stands for a name is `lookUp`'s to say. */
export function expandWith(text: string, lookUp: (name: string) => string): string {
  if (!text.includes("$")) return text;
  let result = "";
  let index = 0;
  while (index < text.length) {
    const character = text[index] as string;
    const next = text[index + 1];
    if (character !== "$" || next === undefined) {
      result += character;
      index += 1;
    } else if (next === "$") {
      result += "$";
      index += 2;
    } else if (next === "(") {
      const end = text.indexOf(")", index + 2);
      if (end < 0) {
        result += "$(";
        index += 2;
      } else {
        result += lookUp(text.slice(index + 2, end));
        index = end + 1;
      }
    } else {
      result += `$${next}`;
      index += 2;
    }
  }
  return result;
}
