// Stand-ins for content hashes: the same text gives the same 64 hex digits, different texts give different ones.
// Nothing here is cryptography; nobody inside the world can look behind a digest.

const hexDigits = "0123456789abcdef";

function mix(seed: number, text: string): number {
  let hash = seed | 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hexOfWord(word: number): string {
  let text = "";
  for (let shift = 28; shift >= 0; shift -= 4) text += hexDigits[(word >>> shift) & 15];
  return text;
}

/** 64 hex digits that depend on `text` alone. */
export function fingerprint(text: string): string {
  const first = mix(0x9747b28c, text);
  const second = mix(first ^ 0x1b873593, text);
  let result = hexOfWord(first) + hexOfWord(second);
  let state = first ^ second;
  for (let word = 2; word < 8; word += 1) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + first + Math.imul(second, word)) | 0;
    state ^= state >>> 12;
    result += hexOfWord(state >>> 0);
  }
  return result;
}

/** `sha256:` and the fingerprint. */
export function digestOf(text: string): string {
  return `sha256:${fingerprint(text)}`;
}
