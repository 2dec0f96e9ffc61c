// From text to a syntax tree by unbash, with refusals worded as bash words them.

import { forEachChild, type ParsedScript, parse, type Statement, type SyntaxNode } from "unbash";

export interface SyntaxProblem {
  /** After "syntax error" and a blank; or the whole message for unterminated quotes. */
  readonly message: string;
  /** The text ends too early: more lines may complete it. */
  readonly incomplete: boolean;
  /** Where the text ends when history is not expanded there. */
  readonly literal?: "here-document" | "single quotes";
  readonly position: number;
}

export interface Parsed {
  readonly script: ParsedScript;
  readonly problem: SyntaxProblem | undefined;
}

const unterminated: { readonly [message: string]: string } = {
  "unterminated single quote": "'",
  "unterminated double quote": '"',
  "unterminated parameter expansion": "}",
  "unterminated command substitution": ")",
  "unterminated backtick command substitution": "`",
};

export function parseScript(source: string): Parsed {
  const script = parse(source);
  const error = script.errors?.[0];
  if (error === undefined) {
    const open = findOpenHereDocument(script);
    if (open) return { script, problem: { message: "", incomplete: true, literal: "here-document", position: source.length } };
    if (goesOn(source)) return { script, problem: { message: "", incomplete: true, position: source.length } };
    return { script, problem: undefined };
  }
  return { script, problem: explain(source, error.message, error.pos) };
}

/** The last line ends in a backslash that joins it to the next one; in a comment it does not. */
function goesOn(source: string): boolean {
  const text = source.endsWith("\n") ? source.slice(0, -1) : source;
  if (!/(?:^|[^\\])(?:\\\\)*\\$/u.test(text)) return false;
  return !/(?:^|[\s;])#[^'"]*$/u.test(text.slice(text.lastIndexOf("\n") + 1));
}

/** Only a here-document without its closing line is wrong: bash runs it with a warning. */
export function isOnlyUnclosedHereDocument(problem: SyntaxProblem | undefined): boolean {
  return problem?.message === "";
}

function explain(source: string, message: string, position: number): SyntaxProblem {
  if (message.startsWith("unterminated")) {
    const quote = unterminated[message] ?? (message.includes("backtick") ? "`" : ")");
    const ending = { message: `unexpected EOF while looking for matching \`${quote}'`, incomplete: true, position: source.length };
    return quote === "'" ? { ...ending, literal: "single quotes" } : ending;
  }
  const skipNewlines = !message.includes("redirect target") && !message.includes("conditional operator");
  // unbash names the bracket that nothing follows.
  const start = /^expected command in (?:subshell|brace group)$/u.test(message) ? position + 1 : position;
  const rest = source.slice(start);
  const blank = (skipNewlines ? /^(?:\s|\\\n|#.*)*/u : /^(?:[ \t]|\\\n)*/u).exec(rest)?.[0].length ?? 0;
  const at = start + blank;
  // unbash names the end of a closing word that came too early.
  const early = /^expected '(?:then|do)'$/u.test(message)
    ? /(?:^|[\s;])(fi|done|else|elif|esac|then|\})$/u.exec(source.slice(0, position))
    : null;
  if (early !== null) return { message: nearToken(early[1] as string), incomplete: false, position: position - 1 };
  if (at >= source.length) {
    if (message.includes("redirect target") && !goesOn(source))
      return { message: nearToken("newline"), incomplete: false, position };
    return { message: "syntax error: unexpected end of file", incomplete: true, position: at };
  }
  const token = /^(?:;;&|;;|;&|&&|\|\||\|&|<<<|<<-?|>>|&>>?|[|&;()<>\n]|[^\s|&;()<>]+)/u.exec(source.slice(at))?.[0] ?? "newline";
  return { message: nearToken(token === "\n" ? "newline" : token), incomplete: false, position: at };
}

function nearToken(token: string): string {
  return `syntax error near unexpected token \`${token}'`;
}

function findOpenHereDocument(script: ParsedScript): boolean {
  let open = false;
  const visit = (node: SyntaxNode): void => {
    if (open) return;
    if (node.type === "HereDoc") open = node.closing === undefined;
    else if (!("text" in node)) forEachChild(node, visit);
  };
  visit(script);
  return open;
}

/** The statements that stand wholly before the line of a syntax error: bash has run them when it meets the error. */
export function statementsBefore(source: string, script: ParsedScript, position: number): readonly Statement[] {
  const lineStart = source.lastIndexOf("\n", Math.max(0, position - 1)) + 1;
  return script.commands.filter((statement) => statement.end > statement.pos && statement.end <= lineStart);
}
