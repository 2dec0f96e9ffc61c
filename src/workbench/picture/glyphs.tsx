// A pod's state as a shape, told apart without colour. Drawn on a 20 × 20 field around the origin.

import type { PodShape } from "#lab/session.ts";

interface GlyphProps {
  readonly shape: PodShape;
  readonly size: number;
  /** The generation's letter; left out where the glyph is too small. */
  readonly letter?: string;
}

/** From this size on a letter can be read. */
const letterFromPx = 18;

export function Glyph({ shape, size, letter = "" }: GlyphProps) {
  const lettered = letter !== "" && size >= letterFromPx && shape !== "succeeded" && shape !== "failed" && shape !== "unknown";
  return (
    <g class={`glyph glyph-${shape}`} transform={`scale(${size / 20})`}>
      {outlines[shape]}
      {lettered && (
        <text class={inverted.has(shape) ? "letter inverted" : "letter"} y={shape === "crashLooping" ? 6 : 3.6}>
          {letter}
        </text>
      )}
    </g>
  );
}

/** Shapes filled with their colour: a letter on them takes the paper's. */
const inverted: ReadonlySet<PodShape> = new Set(["running", "crashLooping"]);

const outlines: Readonly<Record<PodShape, preact.JSX.Element>> = {
  running: <circle class="solid" r="9" />,
  notReady: (
    <>
      <circle class="line" r="8.2" />
      <path class="solid" d="M-8.2 4.4a9.3 9.3 0 0 0 16.4 0z" />
    </>
  ),
  creating: (
    <>
      <circle class="faint" r="8.2" />
      <path class="line thick" d="M0-8.2A8.2 8.2 0 0 1 8.2 0" />
    </>
  ),
  pending: <circle class="line dashed" r="8.2" />,
  crashLooping: <path class="solid" d="M0-9.6L9.8 8.4H-9.8z" />,
  succeeded: (
    <>
      <rect class="line" x="-8" y="-8" width="16" height="16" rx="3" />
      <path class="line" d="M-4 .5l3 3 5.5-6.5" />
    </>
  ),
  failed: (
    <>
      <rect class="solid" x="-8.5" y="-8.5" width="17" height="17" rx="3" />
      <path class="cut" d="M-4-4l8 8M4-4l-8 8" />
    </>
  ),
  terminating: (
    <>
      <circle class="line" r="8.2" />
      <path class="line thin" d="M-7-2L-2-7M-8 4L4-8M-5 6.5L6.5-5M0 8l8-8" />
    </>
  ),
  unknown: (
    <>
      <path class="line" d="M0-9.4L9.4 0 0 9.4-9.4 0z" />
      <text class="letter" y="3.6">
        ?
      </text>
    </>
  ),
};
