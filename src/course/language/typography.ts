// Characters and spaces of each language, as content/README.md asks for them.

import type { Locale } from "../../i18n/locales.ts";
import { codeMark, valueMark } from "./passage.ts";
import type { Rule } from "./rule.ts";

const latin = `A-Za-z0-9\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F${codeMark}`;
/** A value of unknown script: Japanese sets no space beside any. */
const latinOrValue = `${latin}${valueMark}`;
const japanese = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々";
const chinese = "\\p{Script=Han}";
const chineseMarks = "，。：；！？（）、“”‘’《》…—";
const thin = "\u202f";
const units = "ms|s|min|h|Ko|Mo|Go|Kio|Mio|Gio|KiB|MiB|GiB|KB|MB|GB|km|m|€";

const rule = (pattern: RegExp, problem: string, better: Rule["better"]): Rule => ({ pattern, problem, better });
const always =
  (text: string): Rule["better"] =>
  () =>
    text;

/** Full-width forms of marks that sit half-width beside Chinese. */
const fullWidth: Readonly<Record<string, string>> = {
  ",": "，",
  ":": "：",
  ";": "；",
  "?": "？",
  "!": "！",
  "(": "（",
  ")": "）",
  ".": "。",
};
const widened = (text: string): string => [...text.trim()].map((unit) => fullWidth[unit] ?? unit).join("");
const japaneseMark = (mark: string): string => {
  if (mark === ",") return "、";
  return mark === "?" ? "？" : "。";
};
const pressed = (text: string): string => text.replace(/\s+/g, "");

const everywhere: readonly Rule[] = [
  {
    pattern: new RegExp(codeMark),
    problem: "backticks would be shown here: a title, a summary or the words of a drawing",
    better: always("the same word without them"),
    where: "plain type",
  },
  rule(/[！¡]|!(?![=\w])/, "no exclamation marks", always("a full stop")),
  rule(/(?<=\S) {2,}(?=\S)/, "two spaces", always(" ")),
  rule(/\.\.\./, "three full stops", always("…")),
  rule(/(?<=[\s])(--|-)(?=\s)/, "a hyphen is no dash", always("–, a comma or a colon")),
];

const french: readonly Rule[] = [
  rule(/'/, "a typewriter apostrophe", always("’")),
  rule(/"[^"]*"?/, "typewriter quotation marks", (found) => `«${thin}${found[0].replaceAll('"', "")}${thin}»`),
  rule(/[^\s\u202f«][?;»](?!\w)|[^\s\u202f]:(?=\s|$)/u, "no narrow no-break space before the mark", (found) => {
    const text = found[0];
    return `${text.slice(0, -1)}${thin}${text.slice(-1)}`;
  }),
  rule(/[ \u00a0]+[?;:»%]/, "an ordinary space before the mark", (found) => `${thin}${found[0].trim()}`),
  rule(/«(?!\u202f)\s?/, "no narrow no-break space after the mark", always(`«${thin}`)),
  rule(/[0-9\uE002]%/, "no narrow no-break space before %", (found) => `${found[0].charAt(0)}${thin}%`),
  rule(
    new RegExp(`(?<![\\p{L}\\d.])\\d+[ \u00a0]?(${units})(?![\\p{L}\\d’])`, "u"),
    "a unit without its narrow no-break space",
    (found) => `${found[0].replace(/[\s\p{L}€]+$/u, "")}${thin}${found[1]}`,
  ),
  rule(/\d{1,3}[ \u00a0]\d{3}(?!\d)/, "an ordinary space between thousands", (found) => found[0].replace(/\s/, thin)),
  rule(new RegExp(`\\d\\.\\d+\\s?(?=(${units}|%)(?![\\p{L}\\d]))`, "u"), "a decimal point", (found) => found[0].replace(".", ",")),
];

/** Two code spans of a list: neither has a letter of the language beside the mark. */
const listedCode = rule(new RegExp(`${codeMark}, ?(?=${codeMark})`), "a half-width comma between two code spans", always("、"));

const chineseRules: readonly Rule[] = [
  listedCode,
  rule(/["']/, "typewriter quotation marks", always("“ ”")),
  rule(
    new RegExp(
      `(?<=[${chinese}])\\s*[,;:?!()]|[,;:?!]\\s*(?=[${chinese}])|\\(\\s*(?=[${chinese}])|(?<=[${chinese}])\\.(?=\\s|$)`,
      "u",
    ),
    "half-width punctuation in a Chinese sentence",
    (found) => widened(found[0]),
  ),
  rule(new RegExp(`\\((?=[^)]*[${chinese}])|\\)(?=[${chinese}])`, "u"), "half-width brackets in a Chinese sentence", (found) =>
    widened(found[0]),
  ),
  rule(new RegExp(`[${chinese}][${latin}]|[${latin}][${chinese}]`, "u"), "no space between Chinese and Latin", (found) =>
    [...found[0]].join(" "),
  ),
  rule(
    new RegExp(`[${chineseMarks}][ \u00a0\u3000\u202f]+(?=\\S)|(?<=\\S)[ \u00a0\u3000\u202f]+[${chineseMarks}]`, "u"),
    "a space beside full-width punctuation (after bold type: **……**。)",
    (found) => pressed(found[0]),
  ),
  rule(new RegExp(`[${chinese}]\\s+[${chinese}]`, "u"), "a space or a line break between Chinese characters", (found) =>
    pressed(found[0]),
  ),
  rule(new RegExp(`(?<![\\p{L}\\d.])\\d+(${units})(?![\\p{L}\\d])`, "u"), "no space before the unit", (found) =>
    found[0].replace(/(?<=\d)(?=\p{L})/u, " "),
  ),
  rule(/\d\s+[%℃]/, "a space before % or ℃", (found) => pressed(found[0])),
  rule(/「|」|『|』/, "Japanese quotation marks", always("“ ”")),
];

const japaneseRules: readonly Rule[] = [
  listedCode,
  rule(/["'“”]/, "quotation marks of another language", always("「 」")),
  rule(
    new RegExp(`[${japanese}、。] +[${latinOrValue}(]|[${latinOrValue})] +[${japanese}]`, "u"),
    "a space between Japanese and Latin (after bold type: **……**。)",
    (found) => pressed(found[0]),
  ),
  rule(
    new RegExp(`[${japanese}、。][ \u00a0\u3000\n]+[${japanese}]`, "u"),
    "a space or a line break inside a Japanese sentence (after bold type: **……**。)",
    (found) => pressed(found[0]),
  ),
  rule(/[（）：；，．％]/, "a full-width mark", (found) => found[0].normalize("NFKC")),
  rule(/[０-９Ａ-Ｚａ-ｚ]+/, "full-width letters or digits", (found) => found[0].normalize("NFKC")),
  rule(new RegExp(`(?<=[${japanese}])[,.?;](?=$|\\s|[${japanese}])`, "u"), "a Latin mark in a Japanese sentence", (found) =>
    japaneseMark(found[0]),
  ),
  rule(
    /(ます|です|ません|ました|ください):\s*$/,
    "a colon at the end of a sentence that introduces something",
    (found) => `${found[1]}。`,
  ),
  rule(/\d +(秒|分|時間|日|個|つ|台|%|ms|s\b|[KMG]i?B)/u, "a space before the unit", (found) => pressed(found[0])),
  rule(/。(?=\))/, "a full stop inside brackets", always(")。")),
];

const spanish: readonly Rule[] = [
  rule(/'/, "a typewriter quotation mark", always("‘ ’")),
  rule(/"[^"]*"?/, "typewriter quotation marks", (found) => `“${found[0].replaceAll('"', "")}”`),
  rule(/[«»]/, "French quotation marks", always("“ ”")),
  rule(/\s+[?;:]/, "a space before the mark", (found) => found[0].trim()),
  rule(
    /(?:^|(?<=[.?…\n\uE001“(]))[^.?¿…\n\uE001“(]*\p{L}[^.?¿…\n\uE001“(]*\?/u,
    "a question that is not opened",
    (found) => `¿${found[0].trim()}`,
  ),
  rule(/¿[^?]*$/, "a question that is not closed", (found) => `${found[0]}?`),
  rule(/[0-9\uE002][ \u00a0]?%/, "no narrow no-break space before %", (found) => `${found[0].charAt(0)}${thin}%`),
  rule(
    new RegExp(`(?<![\\p{L}\\d.])\\d+[ \u00a0]?(${units})(?![\\p{L}\\d])`, "u"),
    "a unit without its narrow no-break space",
    (found) => `${found[0].replace(/[\s\p{L}€]+$/u, "")}${thin}${found[1]}`,
  ),
  rule(/\d{1,3}[ \u00a0]\d{3}(?!\d)/, "an ordinary space between thousands", (found) => found[0].replace(/\s/, thin)),
  rule(new RegExp(`\\d,\\d+[\\s\u202f]?(?=(${units}|%)(?![\\p{L}\\d]))`, "u"), "a decimal comma", (found) =>
    found[0].replace(",", "."),
  ),
  rule(/[.,]”/, "the mark before the closing quotation mark", (found) => `”${found[0].charAt(0)}`),
];

export const typography: Readonly<Record<Locale, readonly Rule[]>> = {
  fr: [...everywhere, ...french],
  zh: [...everywhere, ...chineseRules],
  ja: [...everywhere, ...japaneseRules],
  es: [...everywhere, ...spanish],
};
