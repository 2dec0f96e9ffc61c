// The teacher's page: which view stands there, by who is signed in and by the address.

import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { AccountPage } from "./account.tsx";
import { ClassList } from "./class-list.tsx";
import { ClassPage } from "./class-page.tsx";
import { ExamPage } from "./exam-page.tsx";
import { LearnerPage } from "./learner-page.tsx";
import { TroubleLine } from "./parts.tsx";
import type { Room, TeacherHere } from "./room.ts";
import { LearnerHere, SignIn, SignUp } from "./sign-in.tsx";
import { TeamPage } from "./team.tsx";
import { useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

export function TeacherApp({ room }: { readonly room: Room }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => void room.look(), [room]);
  useFocusOnNewView(room, place);
  return (
    <div ref={place} class="teacher">
      <Content room={room} />
      <p class="hosting note">
        <a href={`${room.base}${room.locale}/hosting/`}>{room.t("classroom.teacher.hosting")}</a>
      </p>
    </div>
  );
}

/** Who goes to another view is told where they are: its heading takes the keyboard. */
function useFocusOnNewView(room: Room, place: { readonly current: HTMLDivElement | null }): void {
  const last = useRef("");
  useSignalEffect(() => {
    const now = `${room.who.value.role} ${fragmentOf(room.view.value)}`;
    const isFirst = last.current === "" || last.current.startsWith("asking");
    last.current = now;
    if (!isFirst) focusHeading(place.current);
  });
}

/** The heading comes with what is loaded; who has gone on to something else by then stays there. */
function focusHeading(place: HTMLElement | null): void {
  if (place === null) return;
  const before = document.activeElement;
  const act = (): boolean => {
    const now = document.activeElement;
    if (now !== before && now !== document.body) return true;
    const heading = place.querySelector<HTMLElement>("h1");
    if (heading === null) return false;
    heading.tabIndex = -1;
    heading.focus();
    return true;
  };
  requestAnimationFrame(() => {
    if (act()) return;
    const observer = new MutationObserver(() => act() && observer.disconnect());
    observer.observe(place, { childList: true, subtree: true });
  });
}

function Content({ room }: { readonly room: Room }) {
  const { t } = room;
  const who = room.who.value;
  const view = room.view.value;
  switch (who.role) {
    case "asking":
      return (
        <p class="waiting" role="status">
          {t("classroom.teacher.loading")}
        </p>
      );
    case "no-classroom":
      return <NoClassroom room={room} />;
    case "unknown":
      return (
        <section class="door">
          <h1>{t("classroom.teacher.title")}</h1>
          <TroubleLine room={room} word={who.trouble} />
          <button class="button primary" type="button" onClick={() => void room.look()}>
            {t("classroom.teacher.again")}
          </button>
        </section>
      );
    case "learner":
      return <LearnerHere room={room} name={who.name} />;
    case "nobody":
      return view.kind === "invited" ? <SignUp room={room} token={view.token} /> : <SignIn room={room} isNew={who.isNew} />;
    case "teacher":
      return (
        <>
          <Account room={room} name={who.name} />
          <SignedIn room={room} who={who} />
        </>
      );
  }
}

function SignedIn({ room, who }: { readonly room: Room; readonly who: TeacherHere }) {
  const view = room.view.value;
  switch (view.kind) {
    case "class":
      return <ClassPage key={view.id} room={room} id={view.id} tab={view.tab} />;
    case "learner":
      return <LearnerPage key={view.learner} room={room} classId={view.id} learner={view.learner} />;
    case "exam":
      return <ExamPage key={view.exam} room={room} classId={view.id} exam={view.exam} />;
    case "account":
      return <AccountPage room={room} who={who} />;
    case "team":
      return <TeamPage room={room} who={who} />;
    default:
      return <ClassList room={room} />;
  }
}

function Account({ room, name }: { readonly room: Room; readonly name: string }) {
  const { t } = room;
  const sending = useSending();
  return (
    <div class="account">
      <a href={fragmentOf({ kind: "team" })}>{t("classroom.teacher.team.title")}</a>
      <a href={fragmentOf({ kind: "account" })}>{t("classroom.teacher.signedIn", { name })}</a>
      <button class="button small" type="button" onClick={() => void sending.send(() => room.signOut())}>
        {t("classroom.teacher.signOut")}
      </button>
      <TroubleLine room={room} word={sending.trouble.value} />
    </div>
  );
}

function NoClassroom({ room }: { readonly room: Room }) {
  const { t } = room;
  return (
    <section class="door">
      <h1>{t("classroom.teacher.noClassroom.title")}</h1>
      <p>{t("classroom.teacher.noClassroom.text")}</p>
      <pre>
        <code>npm run classroom</code>
      </pre>
      <p>{t("classroom.teacher.noClassroom.then")}</p>
    </section>
  );
}
