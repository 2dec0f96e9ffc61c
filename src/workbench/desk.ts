// What the workbench knows beyond the session: which terminals are on screen, which zones are folded, what was announced.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { refText } from "#history/object-ref.ts";
import type { ObjectRef } from "#history/questions.ts";
import type { ExamLab, OpenFor, ShownRun } from "#lab/open.ts";
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
  /** Somebody's run that is shown here; what passes in it counts for nobody. */
  readonly shown: ShownRun | undefined;
  /** A class's exam, which counts for itself and not for the lesson. */
  readonly exam: ExamLab | undefined;
  /** Undefined where the lab is part of the page and stays. */
  readonly leaveLab: (() => void) | undefined;
  close(): void;
}

export interface DeskOptions extends OpenFor {
  /** Whether there is such a panel. */
  readonly isPanel: (id: string) => boolean;
  readonly locale: Locale;
  readonly lesson: string | undefined;
  readonly nextLesson?: NextLesson | undefined;
  readonly close: (() => void) | undefined;
}

export function createDesk(session: LabSession, t: Translate, options: DeskOptions): Desk {
  const desk = new SessionDesk(session, t, options);
  desk.openTerminal();
  desk.watch(options.shown === undefined && options.exam === undefined ? options.lesson : undefined);
  return desk;
}

/** Functions are fields: views hand them on by themselves. */
class SessionDesk implements Desk {
  readonly session: LabSession;
  readonly t: Translate;
  readonly locale: Locale;
  readonly nextLesson: NextLesson | undefined;
  readonly leaveLab: (() => void) | undefined;
  readonly shown: ShownRun | undefined;
  readonly exam: ExamLab | undefined;
  readonly past: PastWindow;
  readonly preferences = signal(readPreferences());
  readonly compact = signal(false);
  readonly compactZone = signal<Zone>("terminal");
  readonly fullScreen = signal(false);
  readonly asking = signal<"reset" | "exam" | undefined>(undefined);
  readonly tabs = signal<readonly TerminalTab[]>([]);
  readonly activeTab = signal("");
  readonly panels: Desk["panels"];
  readonly frontPanel: Desk["frontPanel"];
  readonly besideTab: Desk["besideTab"];
  readonly stepRoomPx = signal(0);
  readonly announcement = signal("");
  readonly closePanel: Desk["closePanel"];
  readonly #panelTabs: ReturnType<typeof createPanelTabs>;
  readonly #focusers = new Map<string, () => boolean>();
  /** Ends what `watch` began. */
  #stops: readonly (() => void)[] = [];
  #opened = 0;
  /** The panel that was opened last, while no terminal has been wanted since. */
  #lastPanel = "";
  /** A terminal that is to be focused as soon as it is drawn. */
  #focusWanted = false;

  constructor(session: LabSession, t: Translate, options: DeskOptions) {
    this.session = session;
    this.t = t;
    this.locale = options.locale;
    this.nextLesson = options.nextLesson;
    this.shown = options.shown;
    this.exam = options.exam;
    this.leaveLab = options.close;
    const panelTabs = createPanelTabs({
      labId: session.labId,
      isKnown: options.isPanel,
      hasRoom: () => !this.compact.value,
    });
    this.#panelTabs = panelTabs;
    this.panels = panelTabs.open;
    this.closePanel = panelTabs.close;
    const besideTab = computed(() => (this.compact.value ? "" : panelTabs.beside.value));
    this.besideTab = besideTab;
    this.frontPanel = computed(() => (panelTabs.front.value === besideTab.value ? "" : panelTabs.front.value));
    document.addEventListener(preferencesChanged, this.#onPreferences);
    this.past = createPastWindow(session);
  }

  readonly #onPreferences = (): void => {
    this.preferences.value = readPreferences();
  };

  readonly placeOf: Desk["placeOf"] = (key) => {
    if (key === this.besideTab.value) return "beside";
    return key === (this.frontPanel.value === "" ? this.activeTab.value : this.frontPanel.value) ? "main" : undefined;
  };

  readonly toggleBeside: Desk["toggleBeside"] = (key) => {
    if (this.#panelTabs.beside.value === key) {
      this.#panelTabs.toggleBeside(key);
      if (this.tabs.value.some(({ port }) => port.id === key)) this.activeTab.value = key;
      return;
    }
    if (this.activeTab.value === key) {
      // The terminal beside is not the active one as well, unless it is the last.
      const other = this.tabs.value.find(({ port }) => port.id !== key)?.port.id;
      if (other === undefined) return;
      this.activeTab.value = other;
      this.#panelTabs.showTerminals();
    }
    this.#panelTabs.toggleBeside(key);
  };

  // A lab without steps, such as the one on the home page, has no zone for them.
  readonly isShown: Desk["isShown"] = (zone) => {
    if (zone === "steps" && this.session.steps.value.length === 0) return false;
    return this.compact.value ? this.compactZone.value === zone : !this.preferences.value.foldedZones.includes(zone);
  };

  readonly toggle: Desk["toggle"] = (zone) => {
    if (this.compact.value) {
      this.compactZone.value = zone;
      return;
    }
    const folded = this.preferences.value.foldedZones;
    changePreferences({ foldedZones: folded.includes(zone) ? folded.filter((other) => other !== zone) : [...folded, zone] });
  };

  readonly openTerminal = (): void => {
    this.#opened += 1;
    const tab = { port: this.session.openTerminal(defaultSize), number: this.#opened };
    this.tabs.value = [...this.tabs.value, tab];
    this.activeTab.value = tab.port.id;
  };

  readonly showTerminal: Desk["showTerminal"] = (id) => {
    if (id === this.besideTab.value) return;
    this.activeTab.value = id;
    this.#panelTabs.showTerminals();
  };

  readonly closeTerminal: Desk["closeTerminal"] = (id) => {
    const { tabs, activeTab } = this;
    const index = tabs.value.findIndex((tab) => tab.port.id === id);
    tabs.value[index]?.port.close();
    tabs.value = tabs.value.filter((tab) => tab.port.id !== id);
    this.#panelTabs.terminalClosed(id);
    if (activeTab.value === id) activeTab.value = (tabs.value[index] ?? tabs.value[index - 1])?.port.id ?? "";
    // What stood beside is the only terminal now.
    if (activeTab.value !== "" && activeTab.value === this.#panelTabs.beside.value) {
      this.#panelTabs.terminalClosed(activeTab.value);
    }
  };

  readonly openPanel: Desk["openPanel"] = (id, argument) => {
    this.#panelTabs.show(id, argument);
    this.#lastPanel = id;
    if (!this.isShown("terminal")) this.toggle("terminal");
  };

  readonly inspect: Desk["inspect"] = (object) => {
    this.openPanel("inspector", refText(object));
    this.announcement.value = `${this.t("workbench.panels.inspector.title")}: ${object.name}`;
  };

  readonly setTerminalFocus: Desk["setTerminalFocus"] = (id, focus) => {
    if (focus === undefined) this.#focusers.delete(id);
    else this.#focusers.set(id, focus);
    this.terminalShown(id);
  };

  readonly terminalShown: Desk["terminalShown"] = (id) => {
    if (this.#focusWanted && id === this.activeTab.value) this.#focusWanted = this.#focusers.get(id)?.() !== true;
  };

  readonly focusTerminal = (): void => {
    this.#lastPanel = "";
    if (!this.isShown("terminal")) this.toggle("terminal");
    this.#panelTabs.showTerminals();
    this.#focusWanted = this.tabs.value.length > 0;
    this.terminalShown(this.activeTab.value);
  };

  readonly focus = (): void => {
    const shown = [this.#lastPanel, this.frontPanel.value].find(
      (id) => this.panels.value.some((panel) => panel.id === id) && this.placeOf(id),
    );
    if (shown === undefined) this.focusTerminal();
    else document.getElementById(`tab-${shown}`)?.focus();
  };

  readonly focusBeside = (): void => {
    this.#focusers.get(this.besideTab.value)?.();
  };

  readonly announce: Desk["announce"] = (text) => {
    this.announcement.value = text;
  };

  readonly run: Desk["run"] = (command) => {
    if (this.tabs.value.length === 0) this.openTerminal();
    if (!this.isShown("terminal")) this.toggle("terminal");
    this.#panelTabs.showTerminals();
    this.session.runInTerminal(command);
  };

  watch(lesson: string | undefined): void {
    this.#stops = [
      watchSteps(this, lesson),
      offerClock(this),
      effect(() => {
        // A lab that was left with several terminals comes back with them.
        for (let left = this.session.leftTerminals.value; left > 0; left -= 1) untracked(this.openTerminal);
      }),
      effect(() => {
        const ended = this.tabs.value.filter((tab) => tab.port.ended.value);
        if (ended.length === 0) return;
        untracked(() => {
          const hadKeyboard = document.activeElement?.closest(".xterm") !== null;
          for (const tab of ended) this.closeTerminal(tab.port.id);
          if (hadKeyboard) this.focusTerminal();
        });
      }),
      () => this.past.close(),
    ];
  }

  readonly close = (): void => {
    for (const stop of this.#stops) stop();
    document.removeEventListener(preferencesChanged, this.#onPreferences);
    this.session.close();
  };
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
