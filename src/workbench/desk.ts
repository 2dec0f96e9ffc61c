// What the workbench knows beyond the session: which terminals are on screen, which zones are folded, what was announced.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { refText } from "#history/object-ref.ts";
import type { ObjectRef } from "#history/questions.ts";
import type { LabSession, TerminalPort } from "#lab/session.ts";
import { changePreferences, type Preferences, preferencesChanged, readPreferences } from "../course/preferences.ts";
import { changeLesson } from "../course/progress.ts";
import type { Locale } from "../i18n/locales.ts";
import type { Translate } from "../i18n/translator.ts";
import { defaultSize } from "../terminal/screen.ts";
import { createPanelTabs, type OpenPanel } from "./panel-tabs.ts";
import { createPastWindow, type PastWindow } from "./past-window.ts";
import type { NextLesson } from "./workbench.ts";

export type Zone = "picture" | "terminal" | "steps";

export interface TerminalTab {
  readonly port: TerminalPort;
  /** From 1, in the order of opening; numbers are not used again. */
  readonly number: number;
}

export interface Desk {
  readonly session: LabSession;
  readonly t: Translate;
  readonly locale: Locale;
  readonly preferences: ReadonlySignal<Preferences>;
  /** True while the workbench is too narrow for two zones: then one is shown at a time. */
  readonly compact: Signal<boolean>;
  readonly compactZone: Signal<Zone>;
  readonly fullScreen: Signal<boolean>;
  /** What the reader is asked before it is done. */
  readonly asking: Signal<"reset" | "exam" | undefined>;
  readonly tabs: ReadonlySignal<readonly TerminalTab[]>;
  readonly activeTab: ReadonlySignal<string>;
  /** Panels that have a tab beside the terminals'. */
  readonly panels: ReadonlySignal<readonly OpenPanel[]>;
  /** The panel that stands in front of the terminals; "" while a terminal does. */
  readonly frontPanel: ReadonlySignal<string>;
  /** The panel or terminal that stands beside; "" for none, and where there is no room for two. */
  readonly besideTab: ReadonlySignal<string>;
  /** Where a panel or terminal is seen; undefined for one that is behind another. */
  placeOf(key: string): "main" | "beside" | undefined;
  /** Puts a panel or a terminal beside the terminal, or back in front. */
  toggleBeside(key: string): void;
  /** How high the current step is: picture and steps have that much where they can. */
  readonly stepRoomPx: Signal<number>;
  /** The cluster as it is, or as it was while the reader looks back. */
  readonly past: PastWindow;
  /** Said to screen readers; a new text is read, the same text again is not. */
  readonly announcement: ReadonlySignal<string>;
  isShown(zone: Zone): boolean;
  toggle(zone: Zone): void;
  openTerminal(): void;
  showTerminal(id: string): void;
  closeTerminal(id: string): void;
  /** Opens a panel as a tab, or brings it to the front; `argument` is what it is to show.
   * @throws when there is no such panel. */
  openPanel(id: string, argument?: string): void;
  closePanel(id: string): void;
  /** Opens the inspector on an object. */
  inspect(object: ObjectRef): void;
  /** The view that draws a terminal says how to focus it; false from there: not now, it is hidden. */
  setTerminalFocus(id: string, focus: (() => boolean) | undefined): void;
  /** A terminal's screen has come into sight: a wish to focus it is fulfilled now. */
  terminalShown(id: string): void;
  /** Puts the keyboard into the active terminal, at once or as soon as it is drawn. */
  focusTerminal(): void;
  /** Puts the keyboard where the reader left off: into the terminal, unless a panel is in front. */
  focus(): void;
  /** Puts the keyboard into the terminal that stands beside. */
  focusBeside(): void;
  announce(text: string): void;
  run(command: string): void;
  readonly nextLesson: NextLesson | undefined;
  /** Undefined where the lab is part of the page and stays. */
  readonly leaveLab: (() => void) | undefined;
  close(): void;
}

export interface DeskOptions {
  /** Whether there is such a panel. */
  readonly isPanel: (id: string) => boolean;
  readonly locale: Locale;
  readonly lesson: string | undefined;
  readonly nextLesson?: NextLesson | undefined;
  readonly close: (() => void) | undefined;
}

export function createDesk(session: LabSession, t: Translate, options: DeskOptions): Desk {
  const preferences = signal(readPreferences());
  const compact = signal(false);
  const compactZone = signal<Zone>("terminal");
  const tabs = signal<readonly TerminalTab[]>([]);
  const activeTab = signal("");
  const announcement = signal("");
  const panelTabs = createPanelTabs({ labId: session.labId, isKnown: options.isPanel, hasRoom: () => !compact.value });
  const besideTab = computed(() => (compact.value ? "" : panelTabs.beside.value));
  const frontPanel = computed(() => (panelTabs.front.value === besideTab.value ? "" : panelTabs.front.value));
  /** The terminal beside is not the active one as well, unless it is the last. */
  const otherTerminal = (id: string): string => tabs.value.find(({ port }) => port.id !== id)?.port.id ?? "";
  const focusers = new Map<string, () => boolean>();
  let opened = 0;
  /** The panel that was opened last, while no terminal has been wanted since. */
  let lastPanel = "";
  /** A terminal that is to be focused as soon as it is drawn. */
  let focusWanted = false;

  const onPreferences = (): void => {
    preferences.value = readPreferences();
  };
  document.addEventListener(preferencesChanged, onPreferences);

  const desk: Desk = {
    session,
    t,
    locale: options.locale,
    preferences,
    compact,
    compactZone,
    fullScreen: signal(false),
    asking: signal(undefined),
    tabs,
    activeTab,
    panels: panelTabs.open,
    frontPanel,
    besideTab,
    placeOf: (key) => {
      if (key === besideTab.value) return "beside";
      return key === (frontPanel.value === "" ? activeTab.value : frontPanel.value) ? "main" : undefined;
    },
    toggleBeside: (key) => {
      if (panelTabs.beside.value === key) {
        panelTabs.toggleBeside(key);
        if (tabs.value.some(({ port }) => port.id === key)) activeTab.value = key;
        return;
      }
      if (activeTab.value === key) {
        const other = otherTerminal(key);
        if (other === "") return;
        activeTab.value = other;
        panelTabs.showTerminals();
      }
      panelTabs.toggleBeside(key);
    },
    stepRoomPx: signal(0),
    past: createPastWindow(session),
    announcement,
    // A lab without steps, such as the one on the home page, has no zone for them.
    isShown: (zone) =>
      zone === "steps" && session.steps.value.length === 0
        ? false
        : compact.value
          ? compactZone.value === zone
          : !preferences.value.foldedZones.includes(zone),
    toggle: (zone) => {
      if (compact.value) {
        compactZone.value = zone;
        return;
      }
      const folded = preferences.value.foldedZones;
      changePreferences({ foldedZones: folded.includes(zone) ? folded.filter((other) => other !== zone) : [...folded, zone] });
    },
    openTerminal: () => {
      opened += 1;
      const tab = { port: session.openTerminal(defaultSize), number: opened };
      tabs.value = [...tabs.value, tab];
      activeTab.value = tab.port.id;
    },
    showTerminal: (id) => {
      if (id === besideTab.value) return;
      activeTab.value = id;
      panelTabs.showTerminals();
    },
    closeTerminal: (id) => {
      const index = tabs.value.findIndex((tab) => tab.port.id === id);
      tabs.value[index]?.port.close();
      tabs.value = tabs.value.filter((tab) => tab.port.id !== id);
      panelTabs.terminalClosed(id);
      if (activeTab.value === id) activeTab.value = (tabs.value[index] ?? tabs.value[index - 1])?.port.id ?? "";
      // What stood beside is the only terminal now.
      if (activeTab.value !== "" && activeTab.value === panelTabs.beside.value) panelTabs.terminalClosed(activeTab.value);
    },
    openPanel: (id, argument) => {
      panelTabs.show(id, argument);
      lastPanel = id;
      if (!desk.isShown("terminal")) desk.toggle("terminal");
    },
    closePanel: panelTabs.close,
    inspect: (object) => {
      desk.openPanel("inspector", refText(object));
      announcement.value = `${t("workbench.panels.inspector.title")}: ${object.name}`;
    },
    setTerminalFocus: (id, focus) => {
      if (focus === undefined) focusers.delete(id);
      else focusers.set(id, focus);
      desk.terminalShown(id);
    },
    terminalShown: (id) => {
      if (focusWanted && id === activeTab.value) focusWanted = focusers.get(id)?.() !== true;
    },
    focusTerminal: () => {
      lastPanel = "";
      if (!desk.isShown("terminal")) desk.toggle("terminal");
      panelTabs.showTerminals();
      focusWanted = tabs.value.length > 0;
      desk.terminalShown(activeTab.value);
    },
    focus: () => {
      const shown = [lastPanel, frontPanel.value].find(
        (id) => desk.panels.value.some((panel) => panel.id === id) && desk.placeOf(id),
      );
      if (shown === undefined) desk.focusTerminal();
      else document.getElementById(`tab-${shown}`)?.focus();
    },
    focusBeside: () => {
      focusers.get(besideTab.value)?.();
    },
    announce: (text) => {
      announcement.value = text;
    },
    run: (command) => {
      if (tabs.value.length === 0) desk.openTerminal();
      if (!desk.isShown("terminal")) desk.toggle("terminal");
      panelTabs.showTerminals();
      session.runInTerminal(command);
    },
    nextLesson: options.nextLesson,
    leaveLab: options.close,
    close: () => {
      stopWatching();
      document.removeEventListener(preferencesChanged, onPreferences);
      session.close();
    },
  };
  desk.openTerminal();
  const stopWatchingSteps = watchSteps(desk, options.lesson);
  const stopOffering = offerClock(desk);
  const stopWatchingTerminals = effect(() => {
    // A lab that was left with several terminals comes back with them.
    for (let left = session.leftTerminals.value; left > 0; left -= 1) untracked(desk.openTerminal);
  });
  const stopWatchingEnds = effect(() => {
    const ended = tabs.value.filter((tab) => tab.port.ended.value);
    if (ended.length === 0) return;
    untracked(() => {
      const hadKeyboard = document.activeElement?.closest(".xterm") !== null;
      for (const tab of ended) desk.closeTerminal(tab.port.id);
      if (hadKeyboard) desk.focusTerminal();
    });
  });
  const stopWatching = (): void => {
    stopWatchingSteps();
    stopOffering();
    stopWatchingTerminals();
    stopWatchingEnds();
    desk.past.close();
  };
  return desk;
}

/** Who comes to a capstone for the first time is asked whether the clock shall run. */
function offerClock({ session, asking }: Desk): () => void {
  let isOffered = false;
  return effect(() => {
    const state = session.state.value;
    if (isOffered || state.kind !== "ready" || !session.capstone.value) return;
    isOffered = true;
    untracked(() => {
      if (!state.resumed && session.exam.view.value === undefined) asking.value = "exam";
    });
  });
}

/** Keeps passed steps as progress and says each pass aloud, once. */
function watchSteps(desk: Desk, lesson: string | undefined): () => void {
  let known: ReadonlySet<string> | undefined;
  return effect(() => {
    const steps = desk.session.steps.value;
    if (desk.session.state.value.kind !== "ready") {
      known = undefined;
      return;
    }
    const passed = steps.filter((step) => step.status === "passed");
    const before = known;
    known = new Set(passed.map((step) => step.id));
    if (passed.length === 0) return;
    const all = passed.length === steps.length;
    if (lesson !== undefined && passed.some((step) => !before?.has(step.id))) {
      changeLesson(lesson, (kept) => ({
        ...kept,
        steps: [...new Set([...kept.steps, ...passed.map((step) => step.id)])],
        done: kept.done || all,
      }));
    }
    if (before === undefined) return;
    const words = desk.session.capstone.value ? "workbench.capstone" : "workbench.steps";
    const fresh = passed
      .filter((step) => !before.has(step.id))
      .map((step) => desk.t(`${words}.announcePassed`, { title: step.title }));
    if (fresh.length > 0) desk.announce([...fresh, ...(all ? [desk.t(`${words}.allDone`)] : [])].join(" "));
  });
}
