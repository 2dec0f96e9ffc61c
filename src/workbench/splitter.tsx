// A bar between two zones, moved by pointer or arrow keys.

import { useRef } from "preact/hooks";

interface SplitterProps {
  readonly label: string;
  /** Height above the bar, in pixels. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const leastPx = 120;
const mostPx = 700;
const stepPx = 24;

export function Splitter({ label, value, onChange }: SplitterProps) {
  const start = useRef<{ readonly y: number; readonly value: number } | undefined>(undefined);
  const set = (next: number): void => onChange(Math.round(Math.min(mostPx, Math.max(leastPx, next))));
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no focus and no value
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { y: event.clientY, value };
      }}
      onPointerMove={(event) => {
        if (start.current !== undefined) set(start.current.value + event.clientY - start.current.y);
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onKeyDown={(event) => {
        const change = { ArrowUp: -stepPx, ArrowDown: stepPx, Home: -mostPx, End: mostPx }[event.key];
        if (change === undefined) return;
        event.preventDefault();
        set(value + change);
      }}
    />
  );
}
