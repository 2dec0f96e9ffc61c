// A word beside the terminal when a Pod waits for an image that the simulator does not have: `kubectl` says what it says anywhere, and cannot
// know that no other registry will have it either.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { address } from "../course/addresses.ts";
import type { Desk } from "./desk.ts";
import { IconButton } from "./icon-button.tsx";

export function MissingImages({ desk }: { readonly desk: Desk }) {
  const { session, t } = desk;
  const missing = useSignal<readonly string[]>([]);
  const dismissed = useSignal<ReadonlySet<string>>(new Set());
  const waiting = session.cluster.value.pods
    .filter(({ statusText }) => /(?:ErrImagePull|ImagePullBackOff)$/.test(statusText))
    .map(({ uid }) => uid)
    .join();
  useEffect(() => {
    if (waiting === "") {
      missing.value = [];
      return;
    }
    let isCurrent = true;
    session.ask("missingImages", {}).then(
      (images) => {
        if (isCurrent) missing.value = images;
      },
      // The lab stops or begins anew: the picture will ask again.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [session, waiting, missing]);
  const image = missing.value.find((name) => !dismissed.value.has(name));
  if (image === undefined || session.exam.on.value) return null;
  const [before, after] = t("workbench.terminal.missingImage", { image: "\n" }).split("\n");
  return (
    <div class="terminal-notice" role="status">
      <p>
        {before}
        <code>{image}</code>
        {after}{" "}
        <a href={address(`${desk.locale}/sandbox/#images`)} target="_blank" rel="noopener">
          {t("workbench.terminal.imageList")}
        </a>
      </p>
      <IconButton
        icon="close"
        label={t("session.dismiss")}
        onClick={() => {
          dismissed.value = new Set(dismissed.value).add(image);
          desk.focusTerminal();
        }}
      />
    </div>
  );
}
