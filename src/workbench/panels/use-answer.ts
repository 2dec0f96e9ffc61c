// Asks the world while a panel is seen, again whenever the world has moved, a few times a second at most.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Answer, Asked, QuestionName } from "#lab/questions.ts";
import type { Desk } from "../desk.ts";

const againAfterMs = 200;

export interface AnswerOptions {
  /** Follow the world as it moves; otherwise one answer is enough. */
  readonly live: boolean;
}

/** The latest answer; stays while a new one is on its way. Nothing is asked while `asked` is undefined. */
export function useAnswer<Name extends QuestionName>(
  desk: Desk,
  name: Name,
  asked: Asked<Name> | undefined,
  { live }: AnswerOptions,
): ReadonlySignal<Answer<Name> | undefined> {
  const answer = useSignal<Answer<Name> | undefined>(undefined);
  const key = asked === undefined ? "" : JSON.stringify(asked);
  useEffect(() => {
    if (asked === undefined) return;
    return keepAsking(desk, name, asked, live, (given) => {
      answer.value = given;
    });
    // Questions are told apart by what they say.
  }, [desk, name, key, live, answer]);
  return answer;
}

function keepAsking<Name extends QuestionName>(
  desk: Desk,
  name: Name,
  asked: Asked<Name>,
  live: boolean,
  give: (answer: Answer<Name>) => void,
): () => void {
  let ended = false;
  let busy = false;
  let wantedAgain = false;
  const ask = (): void => {
    if (ended || desk.session.state.peek().kind !== "ready") return;
    if (busy) {
      wantedAgain = true;
      return;
    }
    busy = true;
    wantedAgain = false;
    const done = (): void => {
      setTimeout(() => {
        busy = false;
        if (wantedAgain) ask();
      }, againAfterMs);
    };
    desk.session.ask(name, asked).then(
      (answer) => {
        if (!ended) give(answer);
        done();
      },
      (error: unknown) => {
        // A world that has ended tells nothing more; whatever else went wrong should be seen.
        if (!ended && desk.session.state.peek().kind === "ready") console.error(error);
        done();
      },
    );
  };
  ask();
  const { clock, cluster, state } = desk.session;
  const stops = live ? [clock.view.subscribe(ask), cluster.subscribe(ask), state.subscribe(ask)] : [state.subscribe(ask)];
  return () => {
    ended = true;
    for (const stop of stops) stop();
  };
}
