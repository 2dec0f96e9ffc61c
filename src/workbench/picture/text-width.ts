// How wide a text is drawn, without a browser to ask.

/** Rather too wide than too narrow; Han and kana are as wide as they are high. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const letter of text) width += letter > "\u2e80" ? fontSize : fontSize * 0.546;
  return Math.ceil(width);
}
