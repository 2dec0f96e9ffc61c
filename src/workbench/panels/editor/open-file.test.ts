import { beforeEach, describe, expect, it } from "vitest";
import { OpenFile } from "./open-file.ts";

/** The machine's files; each question waits until it is answered. */
class Machine {
  readonly files = new Map<string, string>([["a.yaml", "a"]]);
  refusal: string | undefined;
  readonly #waiting: (() => void)[] = [];

  readonly session = {
    ask: (_name: string, { path }: { readonly path: string }) => this.#later(() => this.files.get(path)),
    saveFile: (path: string, text: string) =>
      this.#later(() => {
        if (this.refusal === undefined) this.files.set(path, text);
        return this.refusal;
      }),
  } as unknown as ConstructorParameters<typeof OpenFile>[0];

  /** Answers everything that is asked until nothing is. */
  async answer(): Promise<void> {
    for (let rest = this.#waiting.splice(0); rest.length > 0; rest = this.#waiting.splice(0)) {
      for (const reply of rest) reply();
      await settled();
    }
  }

  #later<T>(value: () => T): Promise<T> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(value())));
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** A text field in which somebody types. */
class Field {
  text = "";
  locked = false;
  onChange = (_text: string): void => {};

  open(_path: string, text: string): void {
    this.text = text;
    this.locked = false;
  }

  lock(locked: boolean): void {
    this.locked = locked;
  }

  type(letters: string): void {
    if (this.locked) return;
    this.text += letters;
    this.onChange(this.text);
  }
}

describe("the file in the editor", () => {
  let machine: Machine;
  let field: Field;
  let file: OpenFile;

  beforeEach(() => {
    machine = new Machine();
    field = new Field();
    file = new OpenFile(machine.session, () => field);
    field.onChange = (text) => file.changed(text);
  });

  it("that is new takes what is typed before the machine has answered", async () => {
    void file.create("b.yaml");
    field.type("kind: Pod");
    await machine.answer();
    expect({ text: field.text, path: file.path.value, state: file.state.value }).toEqual({
      text: "kind: Pod",
      path: "b.yaml",
      state: { kind: "changed" },
    });
  });

  it("that was to be new is shown when it was there, and kept from being overwritten when something was typed by then", async () => {
    void file.create("a.yaml");
    await machine.answer();
    expect(field.text).toBe("a");
    const other = new OpenFile(machine.session, () => field);
    field.onChange = (text) => other.changed(text);
    void other.create("a.yaml");
    field.type("b");
    await machine.answer();
    expect({ text: field.text, state: other.state.value }).toEqual({ text: "b", state: { kind: "elsewhere" } });
    void other.save(field.text);
    await machine.answer();
    expect(machine.files.get("a.yaml")).toBe("a");
  });

  it("is the one asked for last, whenever the answers come", async () => {
    void file.open("a.yaml");
    void file.create("b.yaml");
    field.type("b");
    await machine.answer();
    expect({ text: field.text, path: file.path.value, state: file.state.value }).toEqual({
      text: "b",
      path: "b.yaml",
      state: { kind: "changed" },
    });
    void file.open("a.yaml");
    await machine.answer();
    void file.open("b.yaml");
    expect(field.text).toBe("b");
  });

  it("whose saving is refused after another was opened keeps what was written", async () => {
    void file.create("b.yaml");
    await machine.answer();
    field.type("b");
    machine.refusal = "No space left on device";
    void file.save(field.text);
    void file.open("a.yaml");
    await machine.answer();
    expect({ text: field.text, state: file.state.value }).toEqual({ text: "a", state: { kind: "same" } });
    void file.open("b.yaml");
    expect({ text: field.text, state: file.state.value }).toEqual({ text: "b", state: { kind: "changed" } });
  });
});
