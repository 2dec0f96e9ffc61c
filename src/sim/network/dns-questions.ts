// Several questions to a DNS server at once.

import type { DnsAnswer, DnsHandler, DnsQuestion, Endpoint } from "../net.ts";

/** Calls `done` with the answers in the order of the questions when the server has given them all. */
export function askAll(
  handler: DnsHandler,
  questions: readonly DnsQuestion[],
  client: Endpoint,
  done: (answers: readonly DnsAnswer[]) => void,
): void {
  const answers = new Array<DnsAnswer>(questions.length);
  let missing = questions.length;
  for (const [index, question] of questions.entries())
    handler(question, client, (answer) => {
      answers[index] = answer;
      missing -= 1;
      if (missing === 0) done(answers);
    });
}
