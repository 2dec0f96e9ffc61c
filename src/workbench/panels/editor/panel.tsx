// The editor: the learner's files with the knowledge of kinds beside them. What is saved is on the learner's machine,
// where the terminal finds it.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import "./editor.css";
import type { Desk } from "../../desk.ts";
import type { PanelProps } from "../panel-props.ts";
import { type CodeEditor, createCodeEditor } from "./code-editor.ts";
import { FileBar } from "./file-bar.tsx";
import { OpenFile } from "./open-file.ts";

export function Panel({ desk, shown, argument }: PanelProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const files = useSignal<readonly string[]>([]);
  const file = useMemo(() => new OpenFile(desk.session, () => editor.current), [desk]);
  const text = (): string => editor.current?.text ?? "";
  const save = async (anyway = false): Promise<boolean> => {
    const saved = await file.save(text(), anyway);
    if (saved) desk.announce(desk.t("workbench.panels.editor.state.saved"));
    await listFiles();
    return saved;
  };
  const typeInto = (shown: Promise<void>): void => {
    // At once, or letters of whoever types on would be shortcuts of the page; hidden until a first file is there.
    editor.current?.focus();
    void shown.then(() => editor.current?.focus());
  };
  const listFiles = async (): Promise<void> => {
    files.value = await desk.session.ask("files", {}).catch(() => files.value);
  };
  useEffect(() => {
    if (place.current === null) return undefined;
    const created = createCodeEditor({
      place: place.current,
      t: desk.t,
      ask: (about, asked) => desk.session.ask(about, asked),
      onChange: () => file.changed(text()),
      onSave: () => void save(),
    });
    editor.current = created;
    return () => {
      editor.current = undefined;
      created.destroy();
    };
  }, [desk, file]);
  useEffect(() => {
    if (shown) void listFiles().then(() => takeUp(file, argument, files.value));
  }, [shown, argument]);
  const { state, path } = file;
  return (
    <div class="editor">
      <FileBar
        t={desk.t}
        files={files.value}
        path={path.value}
        state={state.value}
        open={(next) => typeInto(file.open(next))}
        create={(next) => typeInto(files.value.includes(next) ? file.open(next) : file.create(next))}
        reload={() => void file.reload(path.value)}
        save={(anyway) => void save(anyway)}
        apply={() => void save().then((saved) => saved && applyFile(desk, path.value))}
      />
      <div class="editor-place" ref={place} hidden={state.value.kind === "none"} />
      {state.value.kind !== "none" && <p class="editor-hint">{desk.t("workbench.panels.editor.leaveHint")}</p>}
      {state.value.kind === "none" && <p class="zone-empty">{desk.t("workbench.panels.editor.none")}</p>}
    </div>
  );
}

/** What the panel was opened for, else what is open already, else the first file there is. */
async function takeUp(file: OpenFile, argument: string, files: readonly string[]): Promise<void> {
  if (argument !== "" && argument !== file.path.value) return file.open(argument);
  if (file.path.value !== "") return file.refresh();
  const first = files.find((path) => /\.ya?ml$/.test(path)) ?? files[0];
  return first === undefined ? undefined : file.open(first);
}

function applyFile(desk: Desk, path: string): void {
  const word = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  desk.run(`kubectl apply -f ~/${word}`);
  desk.focusTerminal();
}
