// Above the text: which file it is, what became of it, and what can be done with it.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Translate } from "../../../i18n/translator.ts";
import type { FileState } from "./open-file.ts";

interface FileBarProps {
  readonly t: Translate;
  readonly files: readonly string[];
  readonly path: string;
  readonly state: FileState;
  readonly open: (path: string) => void;
  readonly create: (path: string) => void;
  readonly reload: () => void;
  readonly save: (anyway: boolean) => void;
  readonly apply: () => void;
}

export function FileBar(props: FileBarProps) {
  const { t, path, state } = props;
  const busy = state.kind === "opening" || state.kind === "saving";
  const same = state.kind === "same" || state.kind === "saved";
  return (
    <div class="file-bar">
      <FileChoice {...props} />
      <NewFile t={t} create={props.create} />
      <button class="button small" type="button" disabled={state.kind === "none" || same || busy} onClick={() => props.save(false)}>
        {t("workbench.panels.editor.save")}
      </button>
      {/\.ya?ml$/.test(path) && (
        <button class="button small primary" type="button" disabled={state.kind === "opening"} onClick={props.apply}>
          {t(same ? "workbench.panels.editor.apply" : "workbench.panels.editor.saveAndApply")}
        </button>
      )}
      <FileStateText {...props} />
    </div>
  );
}

function FileChoice({ t, files, path, open }: FileBarProps) {
  const known = path === "" || files.includes(path) ? files : [...files, path];
  const id = useId();
  return (
    <>
      <label class="visually-hidden" for={id}>
        {t("workbench.panels.editor.file")}
      </label>
      <select id={id} value={path} onChange={(event) => open(event.currentTarget.value)}>
        {path === "" && <option value="">{t("workbench.panels.editor.choose")}</option>}
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

function NewFile({ t, create }: Pick<FileBarProps, "t" | "create">) {
  const asking = useSignal(false);
  const name = useSignal("");
  if (!asking.value) {
    return (
      <button class="button small quiet" type="button" onClick={() => (asking.value = true)}>
        {t("workbench.panels.editor.new")}
      </button>
    );
  }
  return (
    <form
      class="new-file"
      onSubmit={(event) => {
        event.preventDefault();
        asking.value = false;
        if (name.value.trim() !== "") create(name.value.trim());
        name.value = "";
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") asking.value = false;
      }}
    >
      <input
        ref={(input) => input?.focus()}
        type="text"
        autoCapitalize="off"
        spellcheck={false}
        aria-label={t("workbench.panels.editor.name")}
        placeholder="web.yaml"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <button class="button small" type="submit">
        {t("workbench.panels.editor.create")}
      </button>
    </form>
  );
}

function FileStateText({ t, state, reload, save }: FileBarProps) {
  switch (state.kind) {
    case "none":
      return null;
    case "refused":
      return (
        <span class="file-state" role="alert">
          {t("workbench.panels.editor.state.refused")} <code>{state.reason}</code>
        </span>
      );
    case "elsewhere":
      return (
        <span class="file-state" role="alert">
          {t("workbench.panels.editor.state.elsewhere")}{" "}
          <button class="button small" type="button" onClick={reload}>
            {t("workbench.panels.editor.reload")}
          </button>{" "}
          <button class="button small" type="button" onClick={() => save(true)}>
            {t("workbench.panels.editor.overwrite")}
          </button>
        </span>
      );
    default:
      return <span class="file-state soft">{t(`workbench.panels.editor.state.${state.kind}`)}</span>;
  }
}
