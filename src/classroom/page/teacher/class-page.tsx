// One class: its views, and the way in for learners.

import { useRef } from "preact/hooks";
import type { Class } from "../../wire.ts";
import { troubleOf } from "./api.ts";
import { BoardView } from "./board.tsx";
import { ExamsView } from "./exams.tsx";
import { FiguresView } from "./figures.tsx";
import { CopyText, LoadedView } from "./parts.tsx";
import { PlanView } from "./plan.tsx";
import type { Room } from "./room.ts";
import { SettingsView } from "./settings.tsx";
import { useLoaded } from "./use-loaded.ts";
import { type ClassTab, classTabs, fragmentOf } from "./views.ts";

export function ClassPage({ room, id, tab }: { readonly room: Room; readonly id: string; readonly tab: ClassTab }) {
  const loaded = useLoaded(() => room.ask<Class>("GET", `/classes/${id}`), id);
  return (
    <>
      <BackToClasses room={room} />
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(own) => (
          <>
            <h1>{own.name}</h1>
            <Tabs room={room} own={own} tab={tab} />
            {tab === "board" && <BoardTab room={room} own={own} gone={loaded.reload} />}
            {tab === "plan" && <PlanView room={room} own={own} changed={loaded.put} />}
            {tab === "exams" && <ExamsView room={room} own={own} />}
            {tab === "figures" && <FiguresView room={room} own={own} />}
            {tab === "settings" && <SettingsView room={room} own={own} changed={loaded.put} />}
          </>
        )}
      </LoadedView>
    </>
  );
}

export function BackToClasses({ room }: { readonly room: Room }) {
  return (
    <p class="back">
      <a href={fragmentOf({ kind: "classes" })}>{room.t("classroom.teacher.classes.title")}</a>
    </p>
  );
}

function Tabs({ room, own, tab }: { readonly room: Room; readonly own: Class; readonly tab: ClassTab }) {
  const { t } = room;
  return (
    <nav class="class-tabs" aria-label={t("classroom.teacher.tabs.label")}>
      <ul>
        {classTabs.map((one) => (
          <li key={one}>
            <a href={fragmentOf({ kind: "class", id: own.id, tab: one })} aria-current={one === tab ? "page" : undefined}>
              {t(`classroom.teacher.tabs.${one}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface BoardTabProps {
  readonly room: Room;
  readonly own: Class;
  /** The class is not there any more. */
  readonly gone: () => Promise<void>;
}

function BoardTab({ room, own, gone }: BoardTabProps) {
  const look = async (): Promise<void> => {
    try {
      await room.ask("GET", `/classes/${own.id}`);
    } catch (error) {
      if (troubleOf(error) === "not-found") await gone();
    }
  };
  return (
    <>
      <WayIn room={room} own={own} />
      <BoardView room={room} own={own} refused={() => void look()} />
    </>
  );
}

/** Where learners of a class come in: the page in the class's language, the code behind the `#`. */
function joinAddress({ base }: Room, { locale }: Class): string {
  return `${location.origin}${base}${locale}/join/`;
}

function WayIn({ room, own }: { readonly room: Room; readonly own: Class }) {
  const { t } = room;
  const large = useRef<HTMLDialogElement>(null);
  const link = `${joinAddress(room, own)}#${own.code}`;
  return (
    <section class="way-in" aria-label={t("classroom.teacher.join.title")}>
      <p class="code">
        <span class="field-label">{t("classroom.teacher.join.code")}</span> <strong>{own.code}</strong>
      </p>
      <div>
        <CopyText room={room} label={t("classroom.teacher.join.link")} text={link} />
        {!own.open && <p class="note">{t("classroom.teacher.join.closed")}</p>}
      </div>
      <button class="button" type="button" onClick={() => large.current?.showModal()}>
        {t("classroom.teacher.join.big")}
      </button>
      <dialog ref={large} class="large-code" aria-labelledby="large-code-title">
        <h2 id="large-code-title">
          {t("classroom.teacher.join.title")} – {own.name}
        </h2>
        <p>{t("classroom.teacher.join.how")}</p>
        <p class="large-address">{joinAddress(room, own)}</p>
        <p class="large-letters">{own.code}</p>
        <form method="dialog">
          <button class="button" type="submit">
            {t("classroom.teacher.close")}
          </button>
        </form>
      </dialog>
    </section>
  );
}
