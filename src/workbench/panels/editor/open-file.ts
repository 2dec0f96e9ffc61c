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
  /** Another file: its text, and nothing to undo. */
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
  readonly #session: LabSession;
  readonly #field: () => TextField | undefined;
  /** As it was last read or saved; undefined for a file that is not there yet. */
  #base: string | undefined;
  /** What was written into other files and not saved. */
  readonly #drafts = new Map<string, Draft>();

  constructor(session: LabSession, field: () => TextField | undefined) {
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
    if (this.hasUnsaved) this.#drafts.set(this.path.value, { base: this.#base, text: this.#field()?.text ?? "" });
    const draft = this.#drafts.get(path);
    if (draft === undefined) return this.reload(path);
    this.#drafts.delete(path);
    this.#present(path, draft.base, draft.text);
    this.changed(draft.text);
  }

  /** Shows a file as it lies on the machine. */
  async reload(path: string): Promise<void> {
    this.state.value = { kind: "opening" };
    this.#field()?.lock(true);
    const text = await this.#read(path);
    this.#field()?.lock(false);
    if (this.isStopped) return;
    this.#present(path, text, text ?? "");
    this.state.value = { kind: "same" };
  }

  changed(text: string): void {
    if (this.path.value !== "") this.state.value = { kind: text === (this.#base ?? "") ? "same" : "changed" };
  }

  #present(path: string, base: string | undefined, text: string): void {
    this.path.value = path;
    this.#base = base;
    this.#field()?.open(path, text);
  }

  /** Takes up what others have written, unless something here would be lost. */
  async refresh(): Promise<void> {
    if (this.path.value === "" || this.hasUnsaved || this.state.value.kind === "saving") return;
    const text = await this.#read(this.path.value);
    if (this.isStopped || text === this.#base || this.hasUnsaved) return;
    await this.reload(this.path.value);
  }

  /** Saves, unless others have written the file since; `anyway` does so all the same. True when it is saved. */
  async save(text: string, anyway = false): Promise<boolean> {
    const path = this.path.value;
    if (path === "") return false;
    this.state.value = { kind: "saving" };
    const present = await this.#read(path);
    if (!anyway && present !== this.#base) {
      this.state.value = { kind: "elsewhere" };
      return false;
    }
    const refused = await this.#session.saveFile(path, text).catch(() => null);
    if (refused === null) this.state.value = { kind: "stopped" };
    else if (refused !== undefined) this.state.value = { kind: "refused", reason: refused };
    else {
      this.#base = text;
      this.state.value = { kind: "saved" };
    }
    return this.state.value.kind === "saved";
  }

  #read(path: string): Promise<string | undefined> {
    return this.#session.ask("file", { path }).catch(() => {
      this.state.value = { kind: "stopped" };
      return undefined;
    });
  }
}
