// The text field of the editor panel: CodeMirror with YAML, the lab's knowledge of kinds behind it.

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { LabSession } from "#lab/session.ts";
import type { Translate } from "../../../i18n/translator.ts";
import { checkManifests } from "./manifest-check.ts";
import { completionsAt } from "./manifest-completions.ts";
import { manifestIndent } from "./manifest-place.ts";
import type { TextField } from "./open-file.ts";

export interface CodeEditor extends TextField {
  focus(): void;
  destroy(): void;
}

export interface CodeEditorOptions {
  readonly place: HTMLElement;
  readonly t: Translate;
  readonly ask: LabSession["ask"];
  readonly onChange: () => void;
  readonly onSave: () => void;
}

/** Wall time between the last key and the look at what is wrong. */
const checkDelayMs = 400;

export function createCodeEditor({ place, t, ask, onChange, onSave }: CodeEditorOptions): CodeEditor {
  const language = new Compartment();
  const lock = new Compartment();
  const saves = (): boolean => {
    onSave();
    return true;
  };
  const state = (path: string, text: string): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        basics(t),
        language.of(isYaml(path) ? manifests(t, ask) : []),
        lock.of([]),
        EditorView.contentAttributes.of({ "aria-label": t("workbench.panels.editor.text", { path }) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange();
        }),
        keymap.of([{ key: "Mod-s", preventDefault: true, run: saves }]),
      ],
    });
  const view = new EditorView({ parent: place, state: state("", "") });
  return {
    get text() {
      return view.state.doc.toString();
    },
    open: (path, text) => view.setState(state(path, text)),
    lock: (locked) => view.dispatch({ effects: lock.reconfigure(locked ? EditorState.readOnly.of(true) : []) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

function basics(t: Translate): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    // Escape, then Tab leaves the field, as CodeMirror has it; the hint below the text says so.
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorState.phrases.of({
      Completions: t("workbench.panels.editor.phrases.completions"),
      Diagnostics: t("workbench.panels.editor.phrases.problems"),
      "No diagnostics": t("workbench.panels.editor.phrases.noProblems"),
      "Control character": t("workbench.panels.editor.phrases.control"),
      "Selection deleted": t("workbench.panels.editor.phrases.deleted"),
      close: t("workbench.panels.editor.phrases.close"),
    }),
    syntaxHighlighting(inks),
    EditorView.lineWrapping,
  ];
}

function manifests(t: Translate, ask: LabSession["ask"]): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos, explicit } = context;
    // An answer for what stood there before the next key is not waited for: where it was "nothing", CodeMirror asked no more.
    context.addEventListener("abort", () => {}, { onDocChange: true });
    const found = await completionsAt(state.doc.toString(), pos, ask).catch(() => undefined);
    if (found === undefined || (found.typed === "" && !explicit)) return null;
    return { from: found.from, options: [...found.options], validFor: /^[\w./-]*$/ };
  };
  const check = async (view: EditorView): Promise<Diagnostic[]> => {
    const problems = await checkManifests(view.state.doc.toString(), ask, t).catch(() => []);
    return problems.map(({ from, to, message }) => ({ from, to, message, severity: "error" }));
  };
  return [
    yaml(),
    indentService.of((context, at) => manifestIndent(context.state.sliceDoc(0, at))),
    autocompletion({ override: [complete], icons: false }),
    linter(check, { delay: checkDelayMs }),
    lintGutter(),
  ];
}

/** The colours of code blocks in lessons (`course/code-theme.ts`), by the same custom properties as the rest. */
const inks = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content], color: "var(--code-value)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.keyword, tags.meta, tags.typeName], color: "var(--code-word)" },
]);
