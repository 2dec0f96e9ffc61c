// What a report of a mistake of ours needs, folded.

import type { Desk } from "./desk.ts";

export function Detail({ desk, text }: { readonly desk: Desk; readonly text: string }) {
  if (text === "") return null;
  return (
    <details>
      <summary>{desk.t("session.detail")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls is reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
