// Code colours that belong to the site's two papers. Contrast of every colour on its background is at least 4.5:1.

import type { ThemeRegistration } from "shiki";

interface Inks {
  readonly text: string;
  readonly comment: string;
  readonly key: string;
  readonly value: string;
  readonly word: string;
  readonly number: string;
}

export const paperLight: ThemeRegistration = theme("pilothouse-paper", "light", "#f3efe4", {
  text: "#16243a",
  comment: "#5c6472",
  key: "#1d4f86",
  value: "#6b4a00",
  word: "#8a2f3c",
  number: "#5a3a8a",
});

export const inkDark: ThemeRegistration = theme("pilothouse-ink", "dark", "#0c1522", {
  text: "#e6e2d6",
  comment: "#93a0b4",
  key: "#8fc1ee",
  value: "#e2c27a",
  word: "#f0a3a0",
  number: "#c9b2f0",
});

function theme(name: string, type: "light" | "dark", background: string, inks: Inks): ThemeRegistration {
  const token = (scope: readonly string[], foreground: string) => ({ scope: [...scope], settings: { foreground } });
  return {
    name,
    type,
    colors: { "editor.background": background, "editor.foreground": inks.text },
    settings: [
      { settings: { foreground: inks.text, background } },
      token(["comment", "punctuation.definition.comment"], inks.comment),
      token(
        ["entity.name.tag", "support.type.property-name", "entity.name.function", "support.function", "variable.parameter"],
        inks.key,
      ),
      token(["string", "string.unquoted"], inks.value),
      token(["keyword", "storage", "keyword.operator"], inks.word),
      token(["constant.numeric", "constant.language", "constant.other"], inks.number),
    ],
  };
}
