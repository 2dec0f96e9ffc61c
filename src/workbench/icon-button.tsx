// A button that is an icon alone: its label is read out, and shown while it is pointed at.

import type { ButtonHTMLAttributes } from "preact";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

interface IconButtonProps
  extends Pick<ButtonHTMLAttributes<HTMLButtonElement>, "aria-pressed" | "disabled" | "onClick" | "popovertarget"> {
  readonly icon: IconName;
  readonly label: string;
  /** Shown instead of the label, when there is more to say: a key. */
  readonly title?: string;
}

export function IconButton({ icon, label, title = label, ...rest }: IconButtonProps) {
  return (
    <button class="icon-button" type="button" aria-label={label} title={title} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
