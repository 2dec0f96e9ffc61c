// Transcripts: what a learner types and what the screen shows, as text files. `== title` begins a block, `$ ` a command; what
// follows is its whole output, with `(exit N)` behind it when it failed. Values that chance and time decide stand as <NAMES>.

export interface TranscriptCommand {
  readonly line: string;
  readonly output: string;
}

export interface TranscriptBlock {
  readonly title: string;
  readonly commands: readonly TranscriptCommand[];
}

/** The blocks of a file, in order. Text before the first title is a remark. */
export function readTranscript(text: string): readonly TranscriptBlock[] {
  return `\n${text}`
    .split(/\n== /)
    .slice(1)
    .map((block) => {
      const newline = block.indexOf("\n");
      const [, ...commands] = block.slice(newline).split(/\n\$ /);
      return {
        title: block.slice(0, newline).trim(),
        commands: commands.map((command) => {
          const end = command.indexOf("\n");
          return end < 0
            ? { line: command, output: "" }
            : { line: command.slice(0, end), output: command.slice(end + 1).trimEnd() };
        }),
      };
    });
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<UID>"],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} [\d:]{8} \+0000/g, "<DATE>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<TIME>"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, "<FILE TIME>"],
  [/\b(LIVE|MERGED)-\d+/g, "$1-<NUMBER>"],
  [/\b([a-z][a-z0-9-]*-[bcdf0-9][bcdfghjklmnpqrstvwxz0-9]{7,9})-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "$1-<CHANCE>"],
  [/\bkube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "kube-api-access-<CHANCE>"],
  [/(resourceVersion: )"\d+"/g, "$1<VERSION>"],
  [/\b10\.244\.\d+\.\d+/g, "<POD IP>"],
  [/\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+/g, "<CLUSTER IP>"],
  [/\bnode-[123]\b(?=\/|$)/gm, "<NODE>"],
  [/((?:containerd|docker-pullable):\/\/)[0-9a-f]{64}/g, "$1<ID>"],
  [/(NodePort: +\S+ +)\d{5}/g, "$1<PORT>"],
  [/:3[0-2]\d{3}\b/g, ":<PORT>"],
  [/in \d+(?:\.\d+)?m?s \(\d+(?:\.\d+)?m?s including waiting\)/g, "in <TIME>"],
  [/(?<=[\s(])(?:\d+[smhd])+(?=[\s)]|$)/gm, "<AGE>"],
];

/** Without what differs from run to run; blanks behind such a value are made three. */
export function normalized(output: string): string {
  let text = output;
  for (const [pattern, name] of replacements) text = text.replace(pattern, name);
  return text
    .replace(/(<[A-Z ]+>\S*) {2,}/g, "$1   ")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}
