// What differs between two versions of the facts in `src/upstream`, in words: a heading for each file, then a line for each entry
// that came, went or is another.

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Entries = { readonly [name: string]: Json };

interface FileWords {
  readonly title: string;
  readonly describe: (before: Entries, after: Entries) => readonly string[];
}

const files: { readonly [file: string]: FileWords } = {
  "types.json": { title: "Fields of the API's types", describe: (before, after) => named("type", before, after, typeWords) },
  "resources.json": {
    title: "What discovery says",
    describe: (before, after) => named("group version", before, after, groupVersionWords),
  },
  "kubectl.json": {
    title: "kubectl's commands",
    describe: (before, after) => named("command kubectl", before, after, commandWords),
  },
  "bootstrap-policy.json": { title: "Roles and bindings of an API server's start", describe: policyChanges },
};

export const factFiles: readonly string[] = Object.keys(files);

/** Nothing where the texts are the same. `before` and `after` are whole files. */
export function factsDifference(file: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const words = files[file];
  if (words === undefined) throw new RangeError(`no words for ${file}`);
  const changes = words.describe(JSON.parse(before) as Entries, JSON.parse(after) as Entries);
  const counted = changes.filter((line) => !line.startsWith(" ")).length;
  const told = counted === 0 ? ["the same entries stand in another order or form"] : changes;
  return [`${words.title} (src/upstream/${file}): ${count(counted, "change")}`, ...told.map((line) => `  ${line}`)];
}

interface EntryWords {
  /** What an entry that came is, after its name; several lines. */
  readonly added: (entry: Entries) => string;
  /** How an entry changed; each line is said of it. */
  readonly changed: (before: Entries, after: Entries) => readonly string[];
}

/** `what` names the kind of entry: "type". */
function named(what: string, before: Entries, after: Entries, words: EntryWords): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before[name] as Entries | undefined, after[name] as Entries | undefined];
    const title = `${what} ${name}`.trim();
    if (old === undefined) return [`added: ${title}, ${words.added(now as Entries)}`];
    if (now === undefined) return [`removed: ${title}`];
    const changes = words.changed(old, now);
    return changes.length === 0 ? [] : [`changed: ${title}`, ...changes.map((line) => `  ${line}`)];
  });
}

const typeWords: EntryWords = {
  added: (fields) => `with the fields ${listed(Object.keys(fields).filter((name) => name !== ""))}`,
  changed: (before, after) => [
    ...(before[""] === after[""] ? [] : [`server-side apply: ${told(before[""])} became ${told(after[""])}`]),
    ...parts("field", withoutOwn(before), withoutOwn(after), fieldAttributes),
  ],
};

/** Without what is said of the type itself. */
function withoutOwn(fields: Entries): Entries {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== ""));
}

const fieldAttributes: AttributeWords = {
  go: "Go's type",
  in: "embedded as",
  number: "number in protobuf",
  wrapped: "a message of its own in protobuf",
  empty: "what is written when it is empty",
  keepsZero: "zero is kept",
  patch: "strategic merge patch",
  apply: "server-side apply",
  default: "default",
};

const resourceAttributes: AttributeWords = {
  kind: "kind",
  group: "group of its kind",
  version: "version of its kind",
  namespaced: "namespaced",
  singular: "singular",
  shortNames: "short names",
  categories: "categories",
  verbs: "verbs",
  storageVersionHash: "hash of its storage version",
};

const groupVersionWords: EntryWords = {
  added: (resources) => `with the resources ${listed(Object.keys(resources))}`,
  changed: (before, after) => parts("resource", before, after, resourceAttributes),
};

const flagAttributes: AttributeWords = {
  shorthand: "short form",
  type: "type",
  default: "default",
  bare: "value when it stands alone",
  inherited: "commands below have it",
  hidden: "hidden",
  deprecated: "deprecation",
  usage: "help",
};

const commandAttributes: AttributeWords = {
  usage: "usage",
  short: "one-line help",
  long: "help",
  example: "examples",
  aliases: "aliases",
  suggestFor: "words it is suggested for",
  hidden: "hidden",
  deprecated: "deprecation",
  group: "does nothing by itself",
};

const commandWords: EntryWords = {
  added: ({ short = "", flags = {} }) => `“${told(short)}”, ${flagList(Object.keys(flags as Entries))}`,
  changed: (before, after) => [
    ...attributeChanges(commandAttributes, before, after),
    ...parts("flag", before["flags"] as Entries, after["flags"] as Entries, flagAttributes, "--"),
  ],
};

function flagList(names: readonly string[]): string {
  return names.length === 0 ? "without flags" : `with the flags ${listed(names.map((name) => `--${name}`))}`;
}

type AttributeWords = { readonly [name: string]: string };

/** Parts of an entry: fields of a type, flags of a command. `mark` stands before a name. */
function parts(what: string, before: Entries, after: Entries, words: AttributeWords, mark = ""): readonly string[] {
  const marked = (entries: Entries): Entries =>
    Object.fromEntries(Object.entries(entries).map(([name, part]) => [mark + name, part]));
  return named(what, marked(before), marked(after), {
    added: (part) =>
      Object.entries(part)
        .map(([name, value]) => (value === true ? wordOf(words, name) : `${wordOf(words, name)} ${told(value)}`))
        .join("; "),
    changed: (old, now) => attributeChanges(words, old, now),
  });
}

/** An attribute that nobody named is called what the file calls it. */
function wordOf(words: AttributeWords, name: string): string {
  return words[name] ?? name;
}

function attributeChanges(words: AttributeWords, before: Entries, after: Entries): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== "flags" && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => attributeChange(wordOf(words, name), before[name], after[name]));
}

function attributeChange(name: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (typeof before === "string" && typeof after === "string" && `${before}${after}`.includes("\n")) {
    return [`${name}:`, ...textChange(before, after).map((line) => `  ${line}`)];
  }
  if (Array.isArray(before) && Array.isArray(after)) return [`${name}: ${listChange(before, after)}`];
  return [`${name}: ${told(before)} became ${told(after)}`];
}

/** The lines that went and those that came. */
function textChange(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const gone = old.filter((line) => line.trim() !== "" && !now.includes(line)).map((line) => `without “${line.trim()}”`);
  const come = now.filter((line) => line.trim() !== "" && !old.includes(line)).map((line) => `with “${line.trim()}”`);
  return gone.length + come.length === 0 ? ["the same lines, in another order or layout"] : [...gone, ...come];
}

function listChange(before: readonly Json[], after: readonly Json[]): string {
  const [old, now] = [before.map(told), after.map(told)];
  const gone = old.filter((item) => !now.includes(item));
  const come = now.filter((item) => !old.includes(item));
  if (gone.length + come.length === 0) return `in another order: ${listed(now)}`;
  return [...(gone.length === 0 ? [] : [`without ${listed(gone)}`]), ...(come.length === 0 ? [] : [`with ${listed(come)}`])].join(
    ", ",
  );
}

const policyKinds: readonly (readonly [section: string, word: string])[] = [
  ["clusterRoles", "cluster role"],
  ["clusterRoleBindings", "cluster role binding"],
  ["roles", "role"],
  ["roleBindings", "role binding"],
];

function policyChanges(before: Entries, after: Entries): readonly string[] {
  const sectionOf = (policy: Entries, name: string): Entries => (policy[name] ?? {}) as Entries;
  return policyKinds.flatMap(([section, word]) =>
    named(word, sectionOf(before, section), sectionOf(after, section), word.endsWith("binding") ? bindingWords : roleWords),
  );
}

const roleWords: EntryWords = {
  added: (role) => `which may ${listed(ruleWords(role)) || "nothing by itself"}`,
  changed: (before, after) => [
    ...setChange("may", ruleWords(before), ruleWords(after)),
    ...setChange("the rules of roles with the label", selectorWords(before), selectorWords(after)),
    ...setChange("the label", labelWords(before), labelWords(after)),
  ],
};

const bindingWords: EntryWords = {
  added: (binding) => `of ${roleRefWords(binding)} for ${listed(subjectWords(binding))}`,
  changed: (before, after) => [
    ...setChange("the role", [roleRefWords(before)], [roleRefWords(after)]),
    ...setChange("the subject", subjectWords(before), subjectWords(after)),
    ...setChange("the label", labelWords(before), labelWords(after)),
  ],
};

/** What it lost and gained; `what` stands before each. */
function setChange(what: string, before: readonly string[], after: readonly string[]): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const gone = before.filter((item) => !after.includes(item)).map((item) => `lost: ${what} ${item}`);
  const come = after.filter((item) => !before.includes(item)).map((item) => `gained: ${what} ${item}`);
  return gone.length + come.length === 0
    ? [`in another order: ${listed(before.map((item) => `${what} ${item}`))}`]
    : [...gone, ...come];
}

type Texts = readonly string[];

function ruleWords({ rules = [] }: Entries): Texts {
  return (rules as readonly { readonly [part: string]: Texts }[]).map(
    ({ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => {
      const what =
        nonResourceURLs.length > 0
          ? listed(nonResourceURLs)
          : `${listed(resources)} of ${listed(apiGroups.map((group) => group || "the core group"))}`;
      return `${listed(verbs)} ${what}${resourceNames.length === 0 ? "" : ` named ${listed(resourceNames)}`}`;
    },
  );
}

function selectorWords({ aggregationRule }: Entries): Texts {
  const { clusterRoleSelectors = [] } = (aggregationRule ?? {}) as { clusterRoleSelectors?: readonly { matchLabels: Entries }[] };
  return clusterRoleSelectors.map(({ matchLabels }) => labelWords({ labels: matchLabels }).join(", "));
}

function labelWords({ labels }: Entries): Texts {
  return Object.entries((labels ?? {}) as Entries).map(([key, value]) => `${key}=${told(value)}`);
}

function roleRefWords({ roleRef }: Entries): string {
  const { kind, name } = roleRef as { readonly kind: string; readonly name: string };
  return `${kind} ${name}`;
}

function subjectWords({ subjects }: Entries): Texts {
  return ((subjects ?? []) as readonly { kind: string; name: string; namespace?: string }[]).map(
    ({ kind, name, namespace }) => `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
  );
}

function listed(items: Texts): string {
  return items.join(", ");
}

function count(number: number, what: string): string {
  if (number === 0) return `no ${what}`;
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

/** A value in a sentence. */
function told(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && value !== "") return value;
  return Array.isArray(value) ? `[${value.map(told).join(", ")}]` : JSON.stringify(value);
}
