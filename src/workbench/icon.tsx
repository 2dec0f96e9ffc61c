// The site's line icons inside the workbench.

import { type IconName, iconPaths } from "./icons.ts";

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} />
    </svg>
  );
}
