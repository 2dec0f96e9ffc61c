// A finger on the screen moves what was printed; xterm itself follows wheels alone.

/** Calls `scroll` with the rows that a finger has moved down (towards what was printed before) or up. The returned function ends it. */
export function followFinger(place: HTMLElement, rowHeightPx: () => number, scroll: (rowsBack: number) => void): () => void {
  let lastY: number | undefined;
  let restPx = 0;
  const start = (event: TouchEvent): void => {
    lastY = event.touches.length === 1 ? event.touches[0]?.clientY : undefined;
    restPx = 0;
  };
  const move = (event: TouchEvent): void => {
    const y = event.touches[0]?.clientY;
    if (lastY === undefined || y === undefined) return;
    // The page stays where it is.
    event.preventDefault();
    restPx += y - lastY;
    lastY = y;
    const rows = Math.trunc(restPx / rowHeightPx());
    if (rows === 0) return;
    restPx -= rows * rowHeightPx();
    scroll(rows);
  };
  place.addEventListener("touchstart", start, { passive: true });
  place.addEventListener("touchmove", move, { passive: false });
  return () => {
    place.removeEventListener("touchstart", start);
    place.removeEventListener("touchmove", move);
  };
}
