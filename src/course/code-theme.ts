// Code colours, one theme for both papers: its colours are the site's custom properties (styles/tokens.css), which know light
// and dark; the paper is the block's. The editor in the lab uses the same ones.

import type { ThemeRegistration } from "shiki";

export const codeTheme: ThemeRegistration = {
  name: "pilothouse",
  type: "light",
  colors: { "editor.background": "transparent", "editor.foreground": "var(--ink)" },
  settings: [
    { settings: { foreground: "var(--ink)", background: "transparent" } },
    token("comment", "comment", "punctuation.definition.comment"),
    token("key", "entity.name.tag", "support.type.property-name", "entity.name.function", "support.function", "variable.parameter"),
    token("value", "string", "string.unquoted"),
    token("word", "keyword", "storage", "keyword.operator"),
    token("number", "constant.numeric", "constant.language", "constant.other"),
  ],
};

function token(colour: "comment" | "key" | "value" | "word" | "number", ...scope: string[]) {
  return { scope, settings: { foreground: `var(--code-${colour})` } };
}
