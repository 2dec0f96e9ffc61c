// A lesson's source as plain text for search: prose, code, output and the words in components' attributes, by section.

export interface LessonSection {
  /** The heading's words; empty for what stands before the first heading. */
  readonly title: string;
  readonly text: string;
}

const tag = /<[A-Za-z](?:"[^"]*"|\{[^}]*\}+|[^>"{])*>/g;
/** Attributes whose words a reader sees, and the words of a drawing. */
const shown = /\b(?:question|alt|caption|why)="([^"]*)"/g;
const label = /\w+:\s*"([^"]*)"/g;

/** What stands before the first heading, then each section that begins with `##` or `###`. */
export function lessonSections(source: string): readonly LessonSection[] {
  const sections: { title: string; texts: string[] }[] = [{ title: "", texts: [] }];
  let prose: string[] = [];
  let isCode = false;
  const closeProse = (): void => {
    sections.at(-1)?.texts.push(plain(prose.join("\n")));
    prose = [];
  };
  for (const line of source.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n")) {
    const heading = isCode ? null : /^#{2,3} (.+)$/.exec(line);
    if (line.startsWith("```") || heading !== null) closeProse();
    if (line.startsWith("```")) isCode = !isCode;
    else if (heading !== null) sections.push({ title: plain(heading[1] ?? ""), texts: [] });
    else if (isCode) sections.at(-1)?.texts.push(line);
    else prose.push(line);
  }
  closeProse();
  return sections.map(({ title, texts }) => ({ title, text: texts.join("\n").replace(/\s+/g, " ").trim() }));
}

/** Markdown and components without their signs; code keeps all of its own. */
function plain(prose: string): string {
  const code: string[] = [];
  return prose
    .replace(/`([^`]+)`/g, (_, text: string) => `\u0001${code.push(text) - 1}\u0001`)
    .replace(tag, wordsOfTag)
    .replace(/<\/\w+>/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*|^\s*(?:[-*+]|>|\d+\.) /gm, "")
    .replace(/^\|?[-|\s:]+\|?$/gm, "")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\\([<>{}*_`])/g, "$1")
    .replace(/\u0001(\d+)\u0001/g, (_, index: string) => code[Number(index)] ?? "")
    .trim();
}

function wordsOfTag(whole: string): string {
  const labels = /\blabels=\{\{([^}]*)\}\}/.exec(whole)?.[1] ?? "";
  const words = [...whole.matchAll(shown), ...labels.matchAll(label)].map(([, text]) => text);
  return words.length === 0 ? "" : `${words.join(" ")} `;
}
