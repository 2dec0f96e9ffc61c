// A pod's state as a shape, told apart without colour. Drawn on a 20 × 20 field around the origin.

import type { PodShape } from "#lab/picture-view.ts";

interface GlyphProps {
  readonly shape: PodShape;
  readonly size: number;
  /** The generation's letter; left out where the glyph is too small. */
  readonly letter?: string;
}

/** From this size on a letter can be read. */
const letterFromPx = 18;

export function Glyph({ shape, size, letter = "" }: GlyphProps) {
  const lettered = letter !== "" && size >= letterFromPx && withRoom.has(shape);
  return (
    <g class={`glyph glyph-${shape}`} transform={`scale(${size / 20})`}>
      {outlines[shape]}
      {lettered && (
        <text class={inverted.has(shape) ? "letter inverted" : "letter"} y={triangles.has(shape) ? 6 : 3.6}>
          {letter}
        </text>
      )}
    </g>
  );
}

/** Shapes with room for a letter: the others have a sign of their own inside. */
const withRoom: ReadonlySet<PodShape> = new Set([
  "running",
  "notReady",
  "creating",
  "pending",
  "stopped",
  "crashLooping",
  "terminating",
]);

const triangles: ReadonlySet<PodShape> = new Set(["stopped", "crashLooping"]);

/** Shapes filled with their colour: a letter on them takes the paper's. */
const inverted: ReadonlySet<PodShape> = new Set(["running", "crashLooping"]);

const outlines: Readonly<Record<PodShape, preact.JSX.Element>> = {
  running: <circle class="solid" r="9" />,
  notReady: (
    <>
      <circle class="line ground" r="8.2" />
      <path class="solid" d="M-8.2 4.4a9.3 9.3 0 0 0 16.4 0z" />
    </>
  ),
  creating: (
    <>
      <circle class="faint ground" r="8.2" />
      <path class="line thick" d="M0-8.2A8.2 8.2 0 0 1 8.2 0" />
    </>
  ),
  // Three quarters of the ring, and the steps that lead to it.
  initializing: (
    <>
      <circle class="faint ground" r="8.2" />
      <path class="line thick" d="M0-8.2A8.2 8.2 0 0 1 0 8.2" />
      <path class="solid" d="M-4.6-1.4h2.8v2.8h-2.8zM-1-1.4h2.8v2.8H-1z" />
    </>
  ),
  pending: <circle class="line ground dashed" r="8.2" />,
  stopped: <path class="line ground" d="M0-8.4L8.4 7.3H-8.4z" />,
  crashLooping: <path class="solid" d="M0-9.6L9.8 8.4H-9.8z" />,
  // An empty box, and what did not come down into it.
  imageFailed: (
    <>
      <rect class="line ground dashed" x="-8.4" y="-8.4" width="16.8" height="16.8" rx="2" />
      <path class="line" d="M0-6.4V4.6M-4.4 .6L0 5l4.4-4.4" />
    </>
  ),
  // It cannot be made as it is written.
  configFailed: (
    <>
      <path class="solid" d="M0-10.2L10.2 0 0 10.2-10.2 0z" />
      <path class="cut" d="M0-5.4V1.2M0 3.6v2.6" />
    </>
  ),
  succeeded: (
    <>
      <rect class="line ground" x="-8" y="-8" width="16" height="16" rx="3" />
      <path class="line" d="M-4 .5l3 3 5.5-6.5" />
    </>
  ),
  failed: (
    <>
      <rect class="solid" x="-8.5" y="-8.5" width="17" height="17" rx="3" />
      <path class="cut" d="M-4-4l8 8M4-4l-8 8" />
    </>
  ),
  // Put out of the node: an arrow upwards.
  evicted: (
    <>
      <rect class="solid" x="-8.5" y="-8.5" width="17" height="17" rx="3" />
      <path class="cut" d="M0 5.4v-10M-4.4-.6L0-5.2l4.4 4.6" />
    </>
  ),
  // M for memory.
  oomKilled: (
    <>
      <rect class="solid" x="-8.5" y="-8.5" width="17" height="17" rx="3" />
      <path class="cut" d="M-4.8 5v-9.6L0 1.4l4.8-6V5" />
    </>
  ),
  terminating: (
    <>
      <circle class="line ground" r="8.2" />
      <path class="line thin" d="M-7-2L-2-7M-8 4L4-8M-5 6.5L6.5-5M0 8l8-8" />
    </>
  ),
  unknown: (
    <>
      <path class="line ground" d="M0-9.4L9.4 0 0 9.4-9.4 0z" />
      <text class="letter" y="3.6">
        ?
      </text>
    </>
  ),
};
