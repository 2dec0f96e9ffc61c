// In a class's settings: what the server deletes by itself, and when.

import type { ClassKeeping } from "../../wire.ts";
import { LoadedView } from "./parts.tsx";
import type { Room } from "./room.ts";
import { dayText } from "./times.ts";
import { useLoaded } from "./use-loaded.ts";

export function KeepingNote({ room, classId }: { readonly room: Room; readonly classId: string }) {
  const { t } = room;
  const loaded = useLoaded(() => room.ask<ClassKeeping>("GET", `/classes/${classId}/keeping`), classId);
  return (
    <section aria-labelledby="keeping-title">
      <h3 id="keeping-title">{t("classroom.teacher.keeping.title")}</h3>
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(told) => (
          <>
            <p>{t("classroom.teacher.keeping.text")}</p>
            <ul>
              {lines(room, told).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </LoadedView>
    </section>
  );
}

function lines({ t, language }: Room, told: ClassKeeping): readonly string[] {
  const { runsDays, learnersDays, auditDays, nextRunAt, nextLearnerAt } = told;
  const next = (at: number | null): string =>
    at === null ? "" : t("classroom.teacher.keeping.next", { date: dayText(language, at) });
  return [
    runsDays === null
      ? t("classroom.teacher.keeping.runsAlways")
      : t("classroom.teacher.keeping.runs", { count: runsDays }) + next(nextRunAt),
    learnersDays === null
      ? t("classroom.teacher.keeping.learnersAlways")
      : t("classroom.teacher.keeping.learners", { count: learnersDays }) + next(nextLearnerAt),
    auditDays === null ? t("classroom.teacher.keeping.auditAlways") : t("classroom.teacher.keeping.audit", { count: auditDays }),
  ];
}
