// Notices about the run as a whole: what was left by going back, what a link offers, what became of an import.

import type { Signal } from "@preact/signals";
import type { Left, Undone } from "#lab/session.ts";
import { withInlineCode } from "../course/inline-code.ts";
import type { Desk } from "./desk.ts";
import { IconButton } from "./icon-button.tsx";
import type { Said } from "./run-menus.tsx";

export function RunNotices({ desk, said }: { readonly desk: Desk; readonly said: Signal<Said | undefined> }) {
  const { journal } = desk.session;
  return (
    <>
      {said.value !== undefined && <SaidNotice desk={desk} said={said.value} close={() => (said.value = undefined)} />}
      <OfferNotice desk={desk} />
      {journal.left.value !== undefined && desk.session.state.value.kind === "ready" && (
        <LeftNotice desk={desk} left={journal.left.value} />
      )}
      {journal.undone.value !== undefined && desk.session.state.value.kind === "ready" && (
        <UndoneNotice desk={desk} undone={journal.undone.value} />
      )}
    </>
  );
}

function SaidNotice({ desk, said, close }: { readonly desk: Desk; readonly said: Said; readonly close: () => void }) {
  return (
    <div class="notice run-notice" role="status">
      <p>{said.text}</p>
      {said.link !== undefined && (
        <input
          class="run-link"
          type="text"
          readOnly
          aria-label={desk.t("workbench.run.share")}
          value={said.link}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <CloseButton desk={desk} close={close} />
    </div>
  );
}

function LeftNotice({ desk, left }: { readonly desk: Desk; readonly left: Left }) {
  const { journal } = desk.session;
  return (
    <div class="notice run-notice" role="status">
      <p>
        {desk.t(`workbench.run.left.${left.kind}`)} {left.before !== "" && <code>{left.before}</code>}
      </p>
      <button
        class="button small"
        type="button"
        onClick={() => {
          journal.comeBack();
          desk.focusTerminal();
        }}
      >
        {desk.t("workbench.run.comeBack")}
      </button>
      <CloseButton desk={desk} close={() => journal.forget()} />
    </div>
  );
}

/** The step has begun again, and what earlier steps had made is missing all the same: which way back has it. */
function UndoneNotice({ desk, undone }: { readonly desk: Desk; readonly undone: Undone }) {
  const { t, session } = desk;
  const { id, title } = undone.step;
  return (
    <div class="notice run-notice undone" role="status">
      <div class="undone-words">
        <p>{t("workbench.run.undone")}</p>
        <ul>
          {undone.missing.map(({ check, text }) => (
            <li key={check} dangerouslySetInnerHTML={{ __html: withInlineCode(text) }} />
          ))}
        </ul>
      </div>
      <button
        class="button small"
        type="button"
        onClick={() => {
          session.journal.resetStep(id);
          desk.focusTerminal();
        }}
      >
        {t("workbench.run.undoneFrom", { title })}
      </button>
    </div>
  );
}

function OfferNotice({ desk }: { readonly desk: Desk }) {
  const { t, session } = desk;
  const offer = session.journal.offer.value;
  const { held, on, closed } = session.exam;
  // In an exam nothing takes the lab's place, and the offer waits; but an exam of a class may go on in another browser.
  const waits = held === undefined ? on.value : offer?.kind !== "run" || offer.from !== "class" || closed.value;
  if (offer === undefined || waits) return null;
  const answer = (take: boolean) => () => session.journal.answerOffer(take);
  if (offer.kind === "refused") {
    const text = t(`workbench.run.refused.${offer.refusal}`, { lab: offer.lab });
    return <SaidNotice desk={desk} said={{ text }} close={answer(false)} />;
  }
  return (
    <div class="notice run-notice" role="status">
      <p>{t(offer.from === "class" ? "classroom.learner.offer" : "workbench.run.offer")}</p>
      <button class="button small primary" type="button" onClick={answer(true)}>
        {t("workbench.run.offerYes")}
      </button>
      <button class="button small" type="button" onClick={answer(false)}>
        {t("workbench.run.offerNo")}
      </button>
    </div>
  );
}

function CloseButton({ desk, close }: { readonly desk: Desk; readonly close: () => void }) {
  return <IconButton icon="close" label={desk.t("session.dismiss")} onClick={close} />;
}
