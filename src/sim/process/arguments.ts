// How much a program can be given when it starts (execve(2)), with the usual limit of 8 MiB for the stack.

/** One word, and all words of a command line and its environment together, in bytes. */
const maximumWordBytes = 131_072;
const maximumBytes = 2_097_152;

/** Whether the kernel refuses them with E2BIG. */
export function areArgumentsTooLong(argv: readonly string[], env: ReadonlyMap<string, string>): boolean {
  let bytes = 0;
  for (const word of argv) {
    if (word.length >= maximumWordBytes) return true;
    bytes += word.length + 9;
  }
  for (const [name, value] of env) {
    if (value.length >= maximumWordBytes) return true;
    bytes += name.length + value.length + 10;
  }
  return bytes > maximumBytes;
}
