// The file in the editor: what was read, what is written there now, and what became of saving it.

import { type Signal, signal } from "@preact/signals";
import type { LabSession } from "#lab/session.ts";

export type FileState =
  | { readonly kind: "none" }
  | { readonly kind: "same" | "changed" | "saving" | "saved" }
  /** The machine refused, in its own words. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Someone else, the terminal say, has written the file since it was read. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "stopped" };

export class OpenFile {
  readonly state: Signal<FileState> = signal({ kind: "none" });
  readonly path: Signal<string> = signal("");
  readonly #session: LabSession;
  readonly #show: (path: string, text: string) => void;
  /** As it was last read or saved; undefined for a file that is not there yet. */
  #base: string | undefined;

  constructor(session: LabSession, show: (path: string, text: string) => void) {
    this.#session = session;
    this.#show = show;
  }

  get hasUnsaved(): boolean {
    return ["changed", "refused", "elsewhere"].includes(this.state.value.kind);
  }

  async open(path: string): Promise<void> {
    const text = await this.#read(path);
    if (this.state.value.kind === "stopped") return;
    this.path.value = path;
    this.#base = text;
    this.state.value = { kind: "same" };
    this.#show(path, text ?? "");
  }

  changed(text: string): void {
    if (this.state.value.kind !== "none") this.state.value = { kind: text === (this.#base ?? "") ? "same" : "changed" };
  }

  /** Takes up what others have written, unless something here would be lost. */
  async refresh(): Promise<void> {
    if (this.path.value === "" || this.hasUnsaved || this.state.value.kind === "saving") return;
    const text = await this.#read(this.path.value);
    if (this.state.value.kind === "stopped" || text === this.#base || this.hasUnsaved) return;
    await this.open(this.path.value);
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
