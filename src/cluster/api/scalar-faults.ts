// What Go says of times and of base64 that do not parse.

const digits = (count: number) => new RegExp(`^\\d{${count}}`);

interface LayoutPart {
  readonly part: string;
  readonly form: RegExp;
  readonly range?: readonly [what: string, least: number, most: number];
}

/** The parts of Go's RFC 3339 layouts, in order, each with what it accepts. */
function layoutParts(kind: "time" | "microTime"): readonly LayoutPart[] {
  const seconds = { part: "05", range: ["second", 0, 59] } as const;
  return [
    { part: "2006", form: digits(4) },
    { part: "-", form: /^-/ },
    { part: "01", form: digits(2), range: ["month", 1, 12] },
    { part: "-", form: /^-/ },
    // Days are looked at last, with their month.
    { part: "02", form: digits(2) },
    { part: "T", form: /^T/ },
    { part: "15", form: digits(2), range: ["hour", 0, 23] },
    { part: ":", form: /^:/ },
    { part: "04", form: digits(2), range: ["minute", 0, 59] },
    { part: ":", form: /^:/ },
    ...(kind === "time"
      ? [{ ...seconds, form: /^\d\d(?:[.,]\d+)?/ }]
      : [
          { ...seconds, form: digits(2) },
          { part: ".000000", form: /^[.,]\d{6}/ },
        ]),
    { part: "Z07:00", form: /^(?:Z|[+-]\d\d:\d\d)/ },
  ];
}

/** The error of Go's time.Parse for a text that is no RFC 3339 time. */
export function timeFault(kind: "time" | "microTime", text: string): string {
  const layout = kind === "time" ? "2006-01-02T15:04:05Z07:00" : "2006-01-02T15:04:05.000000Z07:00";
  const quoted = JSON.stringify(text);
  let rest = text;
  for (const { part, form, range } of layoutParts(kind)) {
    const match = form.exec(rest);
    if (match === null)
      return `parsing time ${quoted} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`;
    if (range !== undefined) {
      const value = Number.parseInt(match[0], 10);
      if (value < range[1] || value > range[2]) return `parsing time ${quoted}: ${range[0]} out of range`;
    }
    rest = rest.slice(match[0].length);
  }
  return rest === "" ? `parsing time ${quoted}: day out of range` : `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
}

const base64Character = /[A-Za-z0-9+/]/;
const completeBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The byte at which Go's decoder of standard base64 stops, or undefined; line ends are skipped, as Go does. */
export function base64Fault(text: string): number | undefined {
  if (completeBase64.test(text)) return undefined;
  let inGroup = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "\n" || character === "\r") continue;
    if (base64Character.test(character)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (character !== "=" || inGroup < 2) return index;
    const rest = text.slice(index + 1).replace(/[\r\n]/g, "");
    if (inGroup === 3) return rest === "" ? undefined : afterLineEnds(text, index + 1);
    if (!rest.startsWith("=")) return rest === "" ? text.length : index;
    return rest.length === 1 ? undefined : afterLineEnds(text, text.indexOf("=", index + 1) + 1);
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

function afterLineEnds(text: string, start: number): number {
  let index = start;
  while (text.charAt(index) === "\n" || text.charAt(index) === "\r") index += 1;
  return index;
}

const canonicalBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** How Go writes back what it read of base64 without a fault: no line ends, and zeros in the bits that the last byte does not fill. */
export function writtenBase64(text: string): string {
  return canonicalBase64.test(text) ? text : btoa(atob(text));
}
