// Cards of glossary words: shown while the pointer rests on the word or the keyboard is on it; a click keeps them.

import { find, findAll } from "./dom.ts";

const showAfterMs = 250;
const hideAfterMs = 200;

for (const term of findAll(".term", HTMLElement)) {
  const word = find(".term-word", HTMLElement, term);
  const card = find(".term-card", HTMLElement, term);
  if (word && card) follow(term, word, card);
}

function follow(term: HTMLElement, word: HTMLElement, card: HTMLElement): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let kept = false;
  const later = (act: () => void, delayMs: number): void => {
    clearTimeout(waiting);
    waiting = setTimeout(act, delayMs);
  };
  const show = (): void => {
    if (!card.matches(":popover-open")) card.showPopover({ source: word });
  };
  const hide = (): void => {
    if (!kept && card.matches(":popover-open")) card.hidePopover();
  };
  term.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") later(show, showAfterMs);
  });
  term.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") later(hide, hideAfterMs);
  });
  word.addEventListener("click", () => {
    kept = true;
  });
  card.addEventListener("toggle", (event) => {
    if (event.newState === "closed") kept = false;
  });
  word.addEventListener("focus", () => {
    if (word.matches(":focus-visible")) show();
  });
  term.addEventListener("focusout", (event) => {
    if (!(event.relatedTarget instanceof Node && term.contains(event.relatedTarget))) hide();
  });
}
