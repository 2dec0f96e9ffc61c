// Letters of protocols, names and options, which are ASCII: all others stay as they are, whatever tables the engine has. What is said of
// every script (an editor's `~`, a column's title) is said with `unicode.ts`.

const onlyAscii = /^[\0-\x7f]*$/;

export function asciiLowerCase(text: string): string {
  return onlyAscii.test(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function asciiUpperCase(text: string): string {
  return onlyAscii.test(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
