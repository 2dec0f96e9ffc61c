// What the command palette can do in an open lab.

import type { Desk } from "./desk.ts";
import { offeredPanels } from "./panels.ts";
import { clockText } from "./times.ts";
import type { WorkbenchCommand } from "./workbench.ts";

const mostObjects = 12;
const mostMoments = 30;

/** Actions, panels and moments whole; of the objects those that `text` names. */
export async function workbenchCommands(desk: Desk, text: string): Promise<readonly WorkbenchCommand[]> {
  const isReady = desk.session.state.value.kind === "ready";
  const [objects, moments] = await Promise.all([
    isReady && text.trim() !== "" ? found(desk, text) : [],
    isReady && !desk.session.exam.on.value ? checkpoints(desk) : [],
  ]);
  return [...(isReady ? actions(desk) : []), ...panels(desk), ...objects, ...moments];
}

function actions(desk: Desk): readonly WorkbenchCommand[] {
  const { t, session } = desk;
  const { paused } = session.clock.view.value;
  const action = (title: string, also: string, act: () => void): WorkbenchCommand => {
    return { group: "actions", title, also, note: "", act };
  };
  const examOn = session.exam.on.value;
  const hasCurrent = session.steps.value.some(({ current }) => current);
  return [
    action(t(paused ? "workbench.status.resume" : "workbench.status.pause"), paused ? "resume play" : "pause stop", () => {
      session.clock.setPaused(!paused);
    }),
    action(t("workbench.palette.terminal"), "terminal shell", desk.focusTerminal),
    action(t("workbench.terminal.new"), "new terminal tab", () => {
      desk.openTerminal();
      desk.focusTerminal();
    }),
    ...(hasCurrent && !examOn ? [action(t("workbench.run.resetStep"), "reset step again", () => resetStep(desk))] : []),
    ...(session.exam.closed.value
      ? []
      : [
          action(t("workbench.status.reset"), "reset restart", () => {
            desk.asking.value = "reset";
          }),
        ]),
    ...(session.exam.rules.value !== undefined && !examOn
      ? [
          action(t("workbench.exam.open"), "exam", () => {
            desk.asking.value = "exam";
          }),
        ]
      : []),
    action(t(desk.fullScreen.value ? "lab.leaveFullScreen" : "lab.fullScreen"), "full screen", () => {
      desk.fullScreen.value = !desk.fullScreen.value;
    }),
  ];
}

function resetStep(desk: Desk): void {
  desk.session.journal.resetStep();
  desk.focusTerminal();
}

function panels(desk: Desk): readonly WorkbenchCommand[] {
  return offeredPanels(desk.session).map(({ id, titleKey }) => ({
    group: "panels",
    title: desk.t(titleKey),
    also: id,
    note: "",
    act: () => show(desk, () => desk.openPanel(id)),
  }));
}

async function found(desk: Desk, text: string): Promise<readonly WorkbenchCommand[]> {
  const objects = await answered(desk.session.ask("find", { text, limit: mostObjects, atMs: desk.past.atMs.value }));
  const name = text.trim();
  const exactFirst = [...objects].sort((a, b) => Number(b.name === name) - Number(a.name === name));
  return exactFirst.map((object) => ({
    group: "objects",
    title: `${object.kind} ${object.name}`,
    also: "",
    note: object.namespace,
    act: () => show(desk, () => desk.inspect(object)),
  }));
}

async function checkpoints(desk: Desk): Promise<readonly WorkbenchCommand[]> {
  const { journal } = desk.session;
  const moments = (await answered(journal.checkpoints())).toReversed().slice(0, mostMoments);
  return moments.map((moment) => ({
    group: "back",
    title: moment.kind === "file" ? desk.t("workbench.run.fileSaved", { path: moment.text }) : moment.text,
    also: "back undo",
    note: clockText(moment.atMs),
    act: () => {
      journal.goBack(moment);
      desk.focusTerminal();
    },
  }));
}

/** A lab that stops offers nothing. */
function answered<Item>(asked: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return asked.catch(() => []);
}

/** Brings a panel up and the keyboard to it, once its tab is drawn. */
function show(desk: Desk, open: () => void): void {
  open();
  requestAnimationFrame(desk.focus);
}
