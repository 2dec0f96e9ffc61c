// How the class fares, by lab and step.

import type { Class, StepFigures } from "../../wire.ts";
import { labTitle, stepTitle } from "../outline.ts";
import { tookText } from "./durations.ts";
import { figuresByLab } from "./figures-by-lab.ts";
import { LoadedView } from "./parts.tsx";
import type { Room } from "./room.ts";
import { useHappenings } from "./use-happenings.ts";
import { useLoaded } from "./use-loaded.ts";

export function FiguresView({ room, own }: { readonly room: Room; readonly own: Class }) {
  const { t } = room;
  const figures = useLoaded(() => room.ask<readonly StepFigures[]>("GET", `/classes/${own.id}/figures`), own.id);
  useHappenings(room, own.id, ["presence", "results", "gone"], figures.refresh);
  return (
    <section aria-labelledby="figures-title" class="figures">
      <div class="board-head">
        <h2 id="figures-title">{t("classroom.teacher.figures.title")}</h2>
        <a class="button" href={room.api.address(`/classes/${own.id}/results.csv`)} download={`${own.name}.csv`}>
          {t("classroom.teacher.figures.csv")}
        </a>
      </div>
      <LoadedView room={room} loaded={figures.state.value} reload={figures.reload}>
        {(all) =>
          all.length === 0 ? (
            <p>{t("classroom.teacher.figures.none")}</p>
          ) : (
            figuresByLab(all, room.outline).map(([lab, steps]) => (
              <LabFigures key={lab} room={room} lab={lab} steps={steps} own={own} />
            ))
          )
        }
      </LoadedView>
    </section>
  );
}

const columns = ["step", "reached", "passed", "median", "attempts", "hints", "left"] as const;

interface LabFiguresProps {
  readonly room: Room;
  readonly own: Class;
  readonly lab: string;
  readonly steps: readonly StepFigures[];
}

function LabFigures({ room, own, lab, steps }: LabFiguresProps) {
  const { t, outline } = room;
  return (
    <section>
      <h3 id={`figures-${lab}`}>{labTitle(outline, lab)}</h3>
      <div class="table-frame">
        <table aria-labelledby={`figures-${lab}`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={column === "step" ? undefined : "number"}>
                  {t(`classroom.teacher.figures.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step.step}>
                <th scope="row">{stepTitle(outline, lab, step.step)}</th>
                <Bar count={step.reached} of={own.learners} />
                <Bar count={step.passed} of={own.learners} />
                <td class="number">{step.medianMs === null ? "–" : tookText(t, step.medianMs)}</td>
                <td class="number">{step.attempts}</td>
                <td class="number">{step.hints}</td>
                <td class="number">{step.leftAt}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A number of the class's learners, and how many of all that is. */
function Bar({ count, of }: { readonly count: number; readonly of: number }) {
  return (
    <td class="number">
      <span class="bar" style={{ "--share": of === 0 ? 0 : Math.min(1, count / of) }} aria-hidden="true" /> {count}
    </td>
  );
}
