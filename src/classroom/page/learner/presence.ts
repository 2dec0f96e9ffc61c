// Tells the server where the reader is, as long as somebody looks at the page.

import type { LabSession } from "#lab/session.ts";
import type { Presence } from "../../wire.ts";
import type { ClassroomApi } from "./api.ts";

const everyMs = 25_000;
/** Without a key, a click or a scroll for so long nobody is taken to be at work. */
const restMs = 60_000;
const signs = ["keydown", "pointerdown", "scroll"] as const;

export class PresenceTeller {
  readonly #api: ClassroomApi;
  readonly #session: () => LabSession | undefined;
  #lastSignMs = Date.now();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(api: ClassroomApi, session: () => LabSession | undefined) {
    this.#api = api;
    this.#session = session;
    const noteSign = (): void => {
      this.#lastSignMs = Date.now();
    };
    for (const sign of signs) addEventListener(sign, noteSign, { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => this.tell());
    this.#timer = setInterval(() => this.tell(), everyMs);
    this.tell();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Nobody waits for it: the next one says it all again. */
  tell(): void {
    if (this.#timer !== undefined && document.visibilityState === "visible") void this.#tell();
  }

  async #tell(): Promise<void> {
    const presence: Presence = {
      place: document.querySelector<HTMLElement>("[data-lesson-page]")?.dataset["place"] ?? "",
      ...(await this.#inLab()),
      active: Date.now() - this.#lastSignMs < restMs,
    };
    await this.#api.ask("PUT", "presence", presence);
  }

  async #inLab(): Promise<Pick<Presence, "lab" | "step" | "attempts" | "hints">> {
    const session = this.#session();
    const step = session?.steps.value.find(({ current }) => current);
    if (session === undefined || step === undefined) return { lab: session?.labId ?? null, step: null, attempts: 0, hints: 0 };
    const attempts = step.openedMs === undefined ? 0 : await commandsSince(session, step.openedMs);
    return { lab: session.labId, step: step.id, attempts, hints: step.hintsShown.length };
  }
}

/** Commands that were entered from a moment on and have ended. */
async function commandsSince(session: LabSession, fromMs: number): Promise<number> {
  try {
    const lines = await session.ask("lines", {});
    return lines.filter(({ text, startedMs }) => startedMs >= fromMs && text.trim() !== "").length;
  } catch {
    // The lab starts, or was closed meanwhile.
    return 0;
  }
}
