// A bar between two zones, moved by pointer or arrow keys; pressed twice, or with Escape, it goes back to where it stands by itself.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface SplitterProps {
  readonly label: string;
  /** Height above the bar, in pixels; 0: by itself. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const leastPx = 120;
const mostPx = 900;
const stepPx = 24;

export function Splitter({ label, value, onChange }: SplitterProps) {
  const bar = useRef<HTMLDivElement>(null);
  const start = useRef<{ readonly y: number; readonly value: number } | undefined>(undefined);
  const stands = useSignal(value);
  const measured = (): number => bar.current?.previousElementSibling?.clientHeight ?? value;
  useEffect(() => {
    stands.value = value === 0 ? measured() : value;
  });
  const set = (next: number): void => onChange(Math.round(Math.min(mostPx, Math.max(leastPx, next))));
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value
    <div
      class="splitter"
      role="separator"
      ref={bar}
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={stands.value}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { y: event.clientY, value: measured() };
      }}
      onPointerMove={(event) => {
        if (start.current === undefined || event.clientY === start.current.y) return;
        set(start.current.value + event.clientY - start.current.y);
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onDblClick={() => onChange(0)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onChange(0);
        const change = { ArrowUp: -stepPx, ArrowDown: stepPx, Home: -mostPx, End: mostPx }[event.key];
        if (change === undefined) return;
        event.preventDefault();
        set(measured() + change);
      }}
    />
  );
}
