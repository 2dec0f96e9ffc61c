// Who teaches here: a link for another teacher, and the end of one's account.

import { useSignal } from "@preact/signals";
import type { TeacherAccount } from "../../wire.ts";
import { BackToClasses } from "./class-page.tsx";
import { CopyText, Form, LoadedView } from "./parts.tsx";
import { Confirm, confirmation, saysOf } from "./password.tsx";
import type { Room, TeacherHere } from "./room.ts";
import { momentText } from "./times.ts";
import { useLoaded, useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

export function TeamPage({ room, who }: { readonly room: Room; readonly who: TeacherHere }) {
  const { t } = room;
  const teachers = useLoaded(() => room.ask<readonly TeacherAccount[]>("GET", "/teachers"), "teachers");
  const gone = useSignal("");
  return (
    <>
      <BackToClasses room={room} />
      <h1>{t("classroom.teacher.team.title")}</h1>
      <p>{t("classroom.teacher.team.text")}</p>
      <LoadedView room={room} loaded={teachers.state.value} reload={teachers.reload}>
        {(all) => (
          <ul class="team">
            {all.map((one) => (
              <li key={one.id}>
                <strong>{one.name}</strong>{" "}
                <span class="soft">{t("classroom.teacher.team.since", { time: momentText(room.language, one.madeAt) })}</span>{" "}
                {one.isThis ? (
                  <span class="soft">{t("classroom.teacher.team.self")}</span>
                ) : (
                  <EndAccount
                    room={room}
                    one={one}
                    by={who}
                    done={() => {
                      gone.value = one.name;
                      void teachers.reload();
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      <p class="said" role="status">
        {gone.value === "" ? "" : t("classroom.teacher.team.ended", { name: gone.value })}
      </p>
      <Invite room={room} />
    </>
  );
}

interface EndAccountProps {
  readonly room: Room;
  readonly one: TeacherAccount;
  /** Who ends it. */
  readonly by: TeacherHere;
  readonly done: () => void;
}

function EndAccount({ room, one, by, done }: EndAccountProps) {
  const { t } = room;
  const password = useSignal("");
  const sending = useSending();
  return (
    <details class="confirm">
      <summary>{t("classroom.teacher.team.end", { name: one.name })}</summary>
      <p>{t("classroom.teacher.team.endText", { name: one.name })}</p>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.team.end", { name: one.name })}
        act={() => room.ask("POST", `/teachers/${one.id}/end`, { password: confirmation(by, password) })}
        done={done}
        says={{ ...saysOf(room), "not-found": t("classroom.teacher.team.gone") }}
        danger
      >
        <Confirm room={room} who={by} password={password} />
      </Form>
    </details>
  );
}

function Invite({ room }: { readonly room: Room }) {
  const { t } = room;
  const sending = useSending();
  const made = useSignal<{ readonly token: string; readonly expiresAt: number } | undefined>(undefined);
  const link = made.value && `${location.origin}${location.pathname}${fragmentOf({ kind: "invited", token: made.value.token })}`;
  return (
    <section>
      <h2>{t("classroom.teacher.invite.title")}</h2>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.invite.make")}
        act={async () => {
          made.value = await room.ask("POST", "/invitations");
        }}
      >
        <p>{t("classroom.teacher.invite.text")}</p>
      </Form>
      {made.value !== undefined && link !== undefined && (
        <div role="status">
          <p>{t("classroom.teacher.invite.once", { time: momentText(room.language, made.value.expiresAt) })}</p>
          <CopyText room={room} label={t("classroom.teacher.invite.link")} text={link} />
        </div>
      )}
    </section>
  );
}
