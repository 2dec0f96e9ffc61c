// The answers of a question in an order of their own: writers tend to put the right one in the middle.

const answer = /<label class="quiz-answer"[\s\S]*?<\/label>/g;
const firstWord = /class="quiz-answer-text"[^>]*>\s*(?:<[^>]*>\s*)*(\S)/;

/** The question's HTML with its answers turned by some places, the same in every build. Answers that all begin with a
 * digit stay as they are: numbers are read in their order.
 * @param name of the question, which no other has: its page and its number there. */
export function turnedAnswers(html: string, name: string): string {
  const answers = html.match(answer) ?? [];
  if (answers.length === 0 || answers.every((one) => /\d/.test(firstWord.exec(one)?.[1] ?? ""))) return html;
  const turn = scattered(name) % answers.length;
  let at = 0;
  return html.replace(answer, (one) => {
    const other = answers[(at + turn) % answers.length] ?? one;
    at += 1;
    return other;
  });
}

/** A whole number from 0 on that is far from that of a like name (FNV-1a, its bits mixed once more). */
function scattered(name: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) bits = Math.imul(bits ^ name.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
