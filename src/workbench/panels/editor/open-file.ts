// The file in the editor: what was read, what is written there now, and what became of saving it. What was not saved of other files
// is kept until they are opened again.

import { type Signal, signal } from "@preact/signals";
import type { LabSession } from "#lab/session.ts";

export type FileState =
  | { readonly kind: "none" }
  /** Asked for and not there yet: nothing can be written into it. */
  | { readonly kind: "opening" }
  | { readonly kind: "same" | "changed" | "saving" | "saved" }
  /** The machine refused, in its own words. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Someone else, the terminal say, has written the file since it was read. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "stopped" };

/** What the file is shown in. */
export interface TextField {
  readonly text: string;
  /** Another file: its text, nothing to undo, not locked. */
  open(path: string, text: string): void;
  /** Whether it can be written into. */
  lock(locked: boolean): void;
}

interface Draft {
  readonly base: string | undefined;
  readonly text: string;
}

export class OpenFile {
  readonly state: Signal<FileState> = signal({ kind: "none" });
  readonly path: Signal<string> = signal("");
  readonly #session: Pick<LabSession, "ask" | "saveFile">;
  readonly #field: () => TextField | undefined;
  /** As it was last read or saved; undefined for a file that is not there yet. */
  #base: string | undefined;
  /** What was written into other files and not saved. */
  readonly #drafts = new Map<string, Draft>();
  /** How often a file was asked for: an answer that comes after the next question is nobody's any more. */
  #asked = 0;

  constructor(session: Pick<LabSession, "ask" | "saveFile">, field: () => TextField | undefined) {
    this.#session = session;
    this.#field = field;
  }

  get hasUnsaved(): boolean {
    return ["changed", "refused", "elsewhere"].includes(this.state.value.kind);
  }

  get isStopped(): boolean {
    return this.state.value.kind === "stopped";
  }

  /** Shows another file, as it was left in the editor if that was not saved; what is written into the present one is kept. */
  async open(path: string): Promise<void> {
    if (!this.#takeDraft(path)) await this.reload(path);
  }

  /** A file that is to be new: it can be written into at once. If the machine has it already, its text is shown, or that it is there. */
  async create(path: string): Promise<void> {
    if (this.#takeDraft(path)) return;
    const asked = ++this.#asked;
    this.#present(path, undefined, "");
    this.state.value = { kind: "same" };
    const text = await this.#read(path);
    if (asked !== this.#asked || this.isStopped || text === undefined || this.state.value.kind === "saving") return;
    if (this.hasUnsaved) this.state.value = { kind: "elsewhere" };
    else this.#show(path, text);
  }

  /** Shows a file as it lies on the machine. */
  async reload(path: string): Promise<void> {
    const asked = ++this.#asked;
    this.state.value = { kind: "opening" };
    this.#field()?.lock(true);
    const text = await this.#read(path);
    if (asked !== this.#asked) return;
    this.#field()?.lock(false);
    if (!this.isStopped) this.#show(path, text);
  }

  /** Puts the present file's text aside if it was not saved. True if the other one had been put aside, and is shown. */
  #takeDraft(path: string): boolean {
    if (this.hasUnsaved) this.#drafts.set(this.path.value, { base: this.#base, text: this.#field()?.text ?? "" });
    const draft = this.#drafts.get(path);
    if (draft === undefined) return false;
    this.#asked += 1;
    this.#drafts.delete(path);
    this.#present(path, draft.base, draft.text);
    this.changed(draft.text);
    return true;
  }

  changed(text: string): void {
    if (this.path.value !== "") this.state.value = { kind: text === (this.#base ?? "") ? "same" : "changed" };
  }

  #show(path: string, text: string | undefined): void {
    this.#present(path, text, text ?? "");
    this.state.value = { kind: "same" };
  }

  #present(path: string, base: string | undefined, text: string): void {
    this.path.value = path;
    this.#base = base;
    this.#field()?.open(path, text);
  }

  /** Takes up what others have written, unless something here would be lost. */
  async refresh(): Promise<void> {
    if (this.path.value === "" || this.hasUnsaved || this.state.value.kind === "saving") return;
    const asked = this.#asked;
    const text = await this.#read(this.path.value);
    if (asked !== this.#asked || this.isStopped || text === this.#base || this.hasUnsaved) return;
    await this.reload(this.path.value);
  }

  /** Saves, unless others have written the file since; `anyway` does so all the same. True when it is saved. */
  async save(text: string, anyway = false): Promise<boolean> {
    const path = this.path.value;
    if (path === "") return false;
    const asked = this.#asked;
    const base = this.#base;
    this.state.value = { kind: "saving" };
    const state = await this.#write(path, text, anyway ? undefined : { base });
    if (asked === this.#asked) {
      if (state.kind === "saved") this.#base = text;
      this.state.value = state;
    } else if (state.kind !== "saved") {
      // Another file is shown by now: what could not be saved waits for its own to be opened again.
      this.#drafts.set(path, { base, text });
    }
    return state.kind === "saved";
  }

  /** What became of writing a file, only over `over` if that is given. */
  async #write(path: string, text: string, over: { readonly base: string | undefined } | undefined): Promise<FileState> {
    const present = await this.#read(path);
    if (this.isStopped) return { kind: "stopped" };
    if (over !== undefined && present !== over.base) return { kind: "elsewhere" };
    const refused = await this.#session.saveFile(path, text).catch(() => null);
    if (refused === null) return { kind: "stopped" };
    return refused === undefined ? { kind: "saved" } : { kind: "refused", reason: refused };
  }

  #read(path: string): Promise<string | undefined> {
    return this.#session.ask("file", { path }).catch(() => {
      this.state.value = { kind: "stopped" };
      return undefined;
    });
  }
}
