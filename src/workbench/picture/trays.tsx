// The trays in which an owner's Pods stand: its hue, and its letters at the beginning.

import type { Tray } from "./pod-rows.ts";

interface TraysProps {
  readonly trays: readonly Tray[];
}

// biome-ignore-start lint/a11y/noAriaHiddenOnFocusable: a group in a drawing takes no focus; each Pod says whose it is
export function Trays({ trays }: TraysProps) {
  return (
    <g class="trays" aria-hidden="true">
      {trays.map(({ key, x, y, width, height, hue }) => (
        <rect key={key} class="tray tray-ground" data-hue={hue} x={x} y={y} width={width} height={height} rx="4" />
      ))}
    </g>
  );
}

/** Above the lines that cross the trays: names stay readable. */
export function TrayTags({ trays }: TraysProps) {
  return (
    <g class="trays" aria-hidden="true">
      {trays.map(({ key, x, y, height: trayHeight, hue, tag, tagWidth, fontSize }) => {
        const height = Math.min(trayHeight, fontSize + 6);
        const middle = y + trayHeight / 2;
        return (
          tag !== "" && (
            <g key={key} class="tray" data-hue={hue}>
              <rect class="tray-tag" x={x} y={middle - height / 2} width={tagWidth} height={height} rx="3" />
              <text x={x + tagWidth / 2} y={middle + fontSize * 0.35} font-size={fontSize}>
                {tag}
              </text>
            </g>
          )
        );
      })}
    </g>
  );
}
// biome-ignore-end lint/a11y/noAriaHiddenOnFocusable: as above
