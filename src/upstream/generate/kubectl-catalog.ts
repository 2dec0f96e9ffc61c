// Writes what kubectl knows of its commands and flags, for `kubectl/help/catalog-reader.ts`: short parts that commands need, and the
// long words that only help prints.

/** See flagFact in tests/oracle/facts/kubectl.go. */
interface FlagFact {
  readonly shorthand?: string;
  readonly type: string;
  readonly default: string;
  readonly bare?: string;
  readonly inherited?: boolean;
  readonly hidden?: boolean;
  readonly deprecated?: string;
  readonly usage: string;
}

interface CommandFact {
  readonly usage: string;
  readonly short: string;
  readonly long: string;
  readonly example: string;
  readonly aliases?: readonly string[];
  readonly suggestFor?: readonly string[];
  readonly group?: boolean;
  readonly flags: { readonly [name: string]: FlagFact };
}

export interface CatalogTexts {
  /**
   * First a line a flag (identifier, shorthand, type, default, value when given without one, H when hidden, deprecation;
   * tab-separated), then a section a command: %u usage, %s description, %a aliases, %g other words for it, %n for mere groups, %f
   * its flags, with a star those that commands below know too.
   */
  readonly catalogText: string;
  /** A line a flag (identifier, usage), then a section a command (%l description, %e examples). */
  readonly helpTexts: string;
}

/** `text` is that of kubectl.json. */
export function kubectlCatalog(text: string): CatalogTexts {
  const commands = Object.entries(JSON.parse(text) as Record<string, CommandFact>);
  const flags = new FlagList();
  const short = commands.map(([path, command]) => shortSection(path, command, flags));
  const long = commands.map(([path, command]) => longSection(path, command));
  return {
    catalogText: [...flags.lines(catalogLine), ...short].join("\n"),
    helpTexts: [...flags.lines((id, { usage }) => `${id}\t${usage.replaceAll("\n", "\\n")}`), ...long].join("\n"),
  };
}

/** Flags that are the same in several commands are one. */
class FlagList {
  readonly #ids = new Map<string, string>();
  readonly #flags = new Map<string, FlagFact>();
  readonly #sameName = new Map<string, number>();

  /** `output`, the next other one of the name `output#2`. */
  idOf(name: string, flag: FlagFact): string {
    const key = JSON.stringify([name, catalogLine("", flag), flag.usage]);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const count = (this.#sameName.get(name) ?? 0) + 1;
    const id = count === 1 ? name : `${name}#${count}`;
    this.#sameName.set(name, count);
    this.#ids.set(key, id);
    this.#flags.set(id, flag);
    return id;
  }

  lines(line: (id: string, flag: FlagFact) => string): readonly string[] {
    return [...this.#flags].map(([id, flag]) => line(id, flag)).sort();
  }
}

function catalogLine(id: string, { shorthand = "", type, default: value, bare = "", hidden, deprecated = "" }: FlagFact): string {
  const isBoolean = type === "bool" || type === "tristate";
  if (isBoolean && bare !== "true") throw new Error(`generate: --${id} without a value is ${bare}`);
  return [id, shorthand, type, value, isBoolean ? "" : bare, hidden === true ? "H" : "", deprecated].join("\t").trimEnd();
}

function shortSection(path: string, command: CommandFact, flags: FlagList): string {
  const { usage, short, aliases = [], suggestFor = [], group } = command;
  const ids = Object.entries(command.flags).map(([name, flag]) => `${flags.idOf(name, flag)}${flag.inherited === true ? "*" : ""}`);
  return [
    `%% ${path}`,
    ...(usage === "" ? [] : [`%u ${usage}`]),
    `%s ${short}`,
    ...(aliases.length === 0 ? [] : [`%a ${aliases.join(" ")}`]),
    ...(suggestFor.length === 0 ? [] : [`%g ${suggestFor.join(" ")}`]),
    ...(group === true ? ["%n"] : []),
    ...(ids.length === 0 ? [] : [`%f ${ids.join(" ")}`]),
  ].join("\n");
}

function longSection(path: string, { long, example }: CommandFact): string {
  return [`%% ${path}`, ...(long === "" ? [] : ["%l", long.trim()]), ...(example === "" ? [] : ["%e", example.trimEnd()])].join(
    "\n",
  );
}
