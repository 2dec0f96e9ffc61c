// Changing a class that another teacher may change at the same time: who comes second is shown the other's version and
// chooses.

import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { ChangedClass, Class } from "../../wire.ts";
import { Trouble } from "./api.ts";
import { plannedText } from "./plan-words.ts";
import type { Room } from "./room.ts";
import { type Sending, useSending } from "./use-loaded.ts";

type Wanted = Omit<ChangedClass, "revision">;

export interface ClassChange {
  readonly sending: Sending;
  readonly saved: Signal<boolean>;
  /** The other's version, until one has chosen. */
  readonly theirs: ReadonlySignal<Class | undefined>;
  save(wanted: Wanted): Promise<void>;
  /** Ours in place of theirs. */
  saveOver(theirs: Class, wanted: Wanted): Promise<void>;
  takeTheirs(theirs: Class): void;
}

interface ChangeOptions {
  readonly room: Room;
  readonly own: Class;
  readonly changed: (own: Class) => void;
}

export function useClassChange({ room, own, changed }: ChangeOptions): ClassChange {
  const sending = useSending();
  const saved = useSignal(false);
  const theirs = useSignal<Class | undefined>(undefined);
  const put = async (revision: number, wanted: Wanted): Promise<void> => {
    saved.value = false;
    const body: ChangedClass = { revision, ...wanted };
    try {
      changed(await room.ask<Class>("PUT", `/classes/${own.id}`, body));
      theirs.value = undefined;
      saved.value = true;
    } catch (error) {
      if (!(error instanceof Trouble && error.word === "changed-meanwhile")) throw error;
      theirs.value = await room.ask<Class>("GET", `/classes/${own.id}`);
    }
  };
  return {
    sending,
    saved,
    theirs,
    save: (wanted) => put(own.revision, wanted),
    saveOver: async (other, wanted) => void (await sending.send(() => put(other.revision, wanted))),
    takeTheirs: (other) => {
      theirs.value = undefined;
      changed(other);
    },
  };
}

interface ConflictProps {
  readonly room: Room;
  readonly change: ClassChange;
  readonly take: (theirs: Class) => void;
  readonly again: (theirs: Class) => Promise<void>;
}

export function Conflict({ room, change, take, again }: ConflictProps) {
  const { t } = room;
  const theirs = change.theirs.value;
  if (theirs === undefined) return null;
  return (
    <div class="conflict" role="alert">
      <p>{t("classroom.teacher.plan.conflict")}</p>
      <p>{t("classroom.teacher.plan.conflictName", { name: theirs.name })}</p>
      {theirs.plan.length === 0 ? (
        <p>{t("classroom.teacher.plan.whole")}</p>
      ) : (
        <ol>
          {theirs.plan.map((planned) => (
            <li key={planned.lesson}>{plannedText(room, planned)}</li>
          ))}
        </ol>
      )}
      <div class="actions">
        <button
          class="button"
          type="button"
          onClick={() => {
            take(theirs);
            change.takeTheirs(theirs);
          }}
        >
          {t("classroom.teacher.plan.theirs")}
        </button>
        <button class="button" type="button" onClick={() => void again(theirs)}>
          {t("classroom.teacher.plan.mine")}
        </button>
      </div>
    </div>
  );
}
