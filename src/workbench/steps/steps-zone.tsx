// The lab's steps: the current one open with its task, what is missing, hints on request, a solution on demand. A step that passes is seen
// to pass before the next one opens.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { ExamLine } from "./exam.tsx";
import { LabEnd } from "./lab-end.tsx";
import { createPassMoments } from "./pass-moment.ts";
import { Step } from "./step.tsx";

export function StepsZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t, session } = desk;
  const steps = session.steps.value;
  const place = useRef<HTMLElement>(null);
  const moments = useMemo(() => createPassMoments(session, { calm: wantsNoMotion, schedule: setTimeout }), [session]);
  useEffect(() => moments.close, [moments]);
  const moment = moments.moment.value;
  const current = steps.find((step) => step.current);
  const hints = (current?.hintsShown.length ?? 0) + (current?.solution === undefined ? 0 : 1);
  const helped = useRef(hints);
  useEffect(() => {
    const isHelp = helped.current < hints;
    helped.current = hints;
    if (place.current !== null) showWhatIsNew(place.current, isHelp);
  }, [current?.id, shown, moment?.over, hints]);
  useEffect(() => watchRoom(place.current, desk), [desk, current?.id, shown, moment?.over]);
  return (
    <section
      class="zone steps"
      ref={place}
      aria-label={t(session.capstone.value ? "workbench.capstone.title" : "workbench.steps.title")}
      hidden={!shown}
    >
      <ExamLine desk={desk} />
      {moment?.over !== false && <LabEnd desk={desk} />}
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} desk={desk} step={step} number={index + 1} moments={moments} />
        ))}
      </ol>
      <Score desk={desk} />
    </section>
  );
}

function wantsNoMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What has just passed begins at the top, under the exam's clock, with the next step below it; without it, or once help was asked for, the
 * step whose turn it is. With none left, what is said about the end. */
function showWhatIsNew(zone: HTMLElement, isHelp: boolean): void {
  const clock = zone.querySelector<HTMLElement>(".exam-line")?.offsetHeight ?? 0;
  const passed = zone.querySelector<HTMLElement>(".step[data-fresh=true]");
  const current = zone.querySelector<HTMLElement>(".step[aria-current]");
  // The last step is seen to pass before the end is told.
  if (current === null && passed?.dataset["ticking"] !== "true") {
    zone.scrollTop = 0;
    return;
  }
  const step = isHelp ? current : (passed ?? current);
  if (step === null) return;
  const above = step.getBoundingClientRect().top - zone.getBoundingClientRect().top + zone.scrollTop;
  zone.scrollTo({ top: above - clock, behavior: wantsNoMotion() ? "instant" : "smooth" });
}

/** How high the current step is, with the exam's clock and what has just passed: the zones give it that much where they can, and do not take
 * it back, so that the terminal stays where it is. */
function watchRoom(zone: HTMLElement | null, desk: Desk): (() => void) | undefined {
  if (zone === null) return undefined;
  // A lab that is over needs none.
  if (zone.querySelector(".step[aria-current]") === null) desk.stepRoomPx.value = 0;
  const seen = [...zone.querySelectorAll<HTMLElement>(".exam-line, .step[data-fresh=true], .step[aria-current]")];
  const observer = new ResizeObserver(() => {
    const height = seen.reduce((sum, element) => sum + element.offsetHeight, 0);
    desk.stepRoomPx.value = Math.max(desk.stepRoomPx.value, height);
  });
  for (const element of seen) observer.observe(element);
  return () => observer.disconnect();
}

/** From the first pass on; an exam has its result instead, and so has a lab that is over. */
function Score({ desk }: { readonly desk: Desk }) {
  const { help, exam, steps, review } = desk.session;
  if (exam.view.value !== undefined || review.open.value || !steps.value.some((step) => step.status === "passed")) return null;
  const { points, most } = help.score.value;
  return <p class="steps-score">{desk.t("workbench.run.score", { points, most })}</p>;
}
