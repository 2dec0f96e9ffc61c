// Two states of an object as the lines that differ between them, or one state whole.

import { useMemo } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { diffLines, withContext } from "./diff-lines.ts";

const linesAround = 3;

interface YamlDiffProps {
  readonly desk: Desk;
  readonly before: string;
  readonly after: string;
}

export function YamlDiff({ desk, before, after }: YamlDiffProps) {
  const { t } = desk;
  const parts = useMemo(() => withContext(diffLines(before, after), linesAround), [before, after]);
  if (before === after) return <p class="panel-note">{t("workbench.panels.diff.same")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls is reached by keyboard
    <pre class="yaml diff" tabIndex={0} translate={false}>
      {parts.map((part, index) => {
        const key = `${index}`;
        if ("left" in part)
          return (
            <span key={key} class="diff-gap">
              {`⋯ ${t("workbench.panels.diff.left", { count: part.left })}\n`}
            </span>
          );
        if (part.sign === " ") return <span key={key}>{`  ${part.text}\n`}</span>;
        return part.sign === "+" ? <ins key={key}>{`+ ${part.text}\n`}</ins> : <del key={key}>{`- ${part.text}\n`}</del>;
      })}
    </pre>
  );
}

export function Yaml({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls is reached by keyboard
    <pre class="yaml" tabIndex={0} translate={false}>
      {text}
    </pre>
  );
}
