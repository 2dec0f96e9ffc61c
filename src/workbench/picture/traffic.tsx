// Connections as they are made: a dot on its way, and the way lit for a moment; a cross where nobody took it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ClusterView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import type { Picture } from "./layout.ts";
import { type Way, waysOf } from "./links.ts";

interface Passing {
  readonly id: number;
  readonly way: Way;
}

/** More at once say no more, and cost every frame; the table counts all. */
const mostPassing = 60;

interface TrafficProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly picture: Picture;
}

export function Traffic({ desk, view, picture }: TrafficProps) {
  const flows = desk.session.traffic.value;
  const passing = useSignal<readonly Passing[]>([]);
  const lastId = useRef(0);
  const group = useRef<SVGGElement>(null);
  const seen = useRef(flows);
  useEffect(() => {
    // What passed before the picture was there has passed.
    if (seen.current === flows) return;
    seen.current = flows;
    // Nor does anything pass where it is not drawn: it would all come at once later.
    const isDrawn = !document.hidden && group.current?.ownerSVGElement?.checkVisibility() === true;
    if (!isDrawn) return;
    const ways = waysOf(flows, view, picture).map((way) => ({ id: ++lastId.current, way }));
    if (ways.length > 0) passing.value = [...passing.peek(), ...ways].slice(-mostPassing);
  });
  const forget = (id: number): void => {
    passing.value = passing.peek().filter((one) => one.id !== id);
  };
  return (
    <g class="traffic" ref={group}>
      {passing.value.map(({ id, way }) => (
        <g key={id} data-failed={way.failed}>
          {/* The way outlasts the dot: with it all has passed. */}
          <path d={way.path} onAnimationEnd={() => forget(id)} />
          <circle class="packet" r={way.count > 9 ? 4.5 : 3.2} style={{ offsetPath: `path("${way.path}")` }} />
          {way.failed && <path class="cross" d={`M${way.x - 4} ${way.y - 4}l8 8m0-8l-8 8`} />}
        </g>
      ))}
    </g>
  );
}
