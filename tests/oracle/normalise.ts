// What chance and time decide in an output: ages, UIDs, addresses, generated names, timestamps, and where the server is. Nothing
// else is taken out; blanks count, unless values of different lengths stand in the two outputs.

export interface Normalised {
  readonly text: string;
  /** What was taken out, in order. */
  readonly values: readonly string[];
}

const age = String.raw`(?:\d+y)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?`;
const chance = "[bcdfghjklmnpqrstvwxz2456789]";

const patterns: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/(?:127\.0\.0\.1|172\.18\.0\.2):\d+/g, "<SERVER>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<UID>"],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} [\d:]{8} [+-]\d{4}/g, "<DATE>"],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| ?[+-]\d\d:?\d\d)(?: UTC)?/g, "<TIME>"],
  [/\b[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ /g, "<KLOG> "],
  [/(?<=[a-z0-9]\.)[0-9a-f]{16}\b/g, "<EVENT>"],
  [/\b(?:LIVE|MERGED)-\d+/g, "<FOLDER>"],
  [/\bkubectl-(?:edit-)?\d+\b/g, "<FILE>"],
  [/(?<=resourceVersion"?: ?"|--resource-version=)\d+/g, "<VERSION>"],
  [new RegExp(`(?<=[a-z0-9]-)[0-9a-f]{6,10}-${chance}{5}\\b`, "g"), "<POD>"],
  [new RegExp(`(?<=[a-z0-9]-)${chance}{5}\\b`, "g"), "<CHANCE>"],
  [/\b10\.244\.\d+\.\d+/g, "<POD IP>"],
  [/\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+/g, "<CLUSTER IP>"],
  [/(?<=(?:containerd|docker-pullable):\/\/)[0-9a-f]{64}/g, "<ID>"],
  [/\b3[0-2]\d{3}(?=\/(?:TCP|UDP|SCTP)|\b)/g, "<PORT>"],
  [/\b\d+(?:\.\d+)?m?s(?= \(\d+(?:\.\d+)?m?s including waiting\))/g, "<TIME>"],
  [/(?<=\()\d+(?:\.\d+)?m?s(?= including waiting\))/g, "<TIME>"],
  [new RegExp(`(?<=^|[\\s(])(?<!:[ \\t]+)(?=\\d)${age}(?=[\\s),]|$)`, "gm"), "<AGE>"],
  [new RegExp(`(?<=(?:Duration|Age|lasts):?\\s+)(?=\\d)${age}\\b`, "gm"), "<AGE>"],
  [/\bgo1\.\d+(?:\.\d+)?\b/g, "<GO>"],
  [/(?<=failed to start exec ")[0-9a-f]{12,64}/g, "<ID>"],
  [/(?<=illiseconds=)\d+/g, "<MS>"],
  [/(?<=\s)<invalid>(?=\s|$)/g, "<AGE>"],
];

export function normalise(output: string): Normalised {
  const values: string[] = [];
  let text = output;
  for (const [pattern, name] of patterns) {
    text = text.replace(pattern, (value) => {
      values.push(value);
      return name;
    });
  }
  return { text, values };
}

/** Two outputs without what chance decides, made for a comparison by `===`. */
export function comparable(left: string, right: string): readonly [string, string] {
  const one = normalise(left);
  const other = normalise(right);
  const sameLengths =
    one.values.length === other.values.length && one.values.every((value, index) => value.length === other.values[index]?.length);
  return sameLengths ? [one.text, other.text] : [collapsed(one.text), collapsed(other.text)];
}

/** Columns beside a value of another length are of another width. */
function collapsed(text: string): string {
  return text.replace(/ {2,}/g, "   ").replace(/ +$/gm, "");
}
