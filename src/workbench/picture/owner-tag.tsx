// An owner's mark in text: its hue and its letters.

import type { OwnerMark } from "./owner-marks.ts";

export function OwnerTag({ mark }: { readonly mark: OwnerMark }) {
  return (
    <span class="owner-tag" data-hue={mark.hue} aria-hidden="true">
      {mark.tag}
    </span>
  );
}
