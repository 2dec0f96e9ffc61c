// What the published client package says of the parameters of requests.

/** Words of parameters whose meaning hangs on what is asked of whom: `PodExec`, `ServiceProxy`, `patch`; "" for all others. */
export type ParameterDocs = { [owner: string]: { [parameter: string]: string } };

const connections = /(Pod|Node|Service)(Attach|Exec|Log|Portforward|Proxy)$/;
/** Told apart by what they are in, or of no interest. */
const unnamed: ReadonlySet<string> = new Set(["body", "name", "path2"]);

/** `code` is an API class: a comment with `@param name text` lines before each `async method(`. The first to tell is taken. */
export function parseParameters(code: string): ParameterDocs {
  const docs: ParameterDocs = {};
  for (const [, comment = "", method = ""] of code.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*async (\w+)\(/g)) {
    const owner = method.startsWith("patch") ? "patch" : (connections.exec(method)?.[0] ?? "");
    docs[owner] ??= {};
    const entry = docs[owner];
    for (const [, name = "", text = ""] of comment.matchAll(/@param (\w+) (.*)/g)) {
      const parameter = name.replace(/^_/, "");
      if (!unnamed.has(parameter)) entry[parameter] ??= unescaped(text);
    }
  }
  return docs;
}

function unescaped(text: string): string {
  const characters: { readonly [code: string]: string } = {
    "#39": "'",
    quot: '"',
    "#x60": "`",
    "#x3D": "=",
    lt: "<",
    gt: ">",
    amp: "&",
  };
  return text.replace(/\\?&(#39|quot|#x60|#x3D|lt|gt|amp);/g, (_match, code: string) => characters[code] ?? "").trim();
}
