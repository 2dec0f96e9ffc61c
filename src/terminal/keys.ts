// Keys that belong to the page and not to the shell: copy, paste, and the way out.

export interface KeyActions {
  readonly leave: () => void;
  readonly selection: () => string;
  readonly clearSelection: () => void;
  readonly clipboardDenied: () => void;
}

/** Longest time between two presses of Esc that count as one wish to leave. */
const leaveWithinMs = 600;

/** The handler xterm asks before it takes a key; false keeps the key from the shell. */
export function handleKey(actions: KeyActions): (event: KeyboardEvent) => boolean {
  let escapedAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.type !== "keydown" || event.isComposing) return true;
    if (event.key === "Escape") {
      const again = event.timeStamp - escapedAtMs < leaveWithinMs;
      escapedAtMs = again ? Number.NEGATIVE_INFINITY : event.timeStamp;
      if (again) actions.leave();
      return !again;
    }
    if (isCopy(event)) {
      event.preventDefault();
      copy(actions);
      return false;
    }
    // The browser pastes into xterm's hidden field; the shell must not see the key. Ctrl+` is the page's own.
    return !isPaste(event) && !(event.ctrlKey && event.key === "`");
  };
}

function isCopy(event: KeyboardEvent): boolean {
  return (event.ctrlKey && event.shiftKey && event.code === "KeyC") || (event.ctrlKey && event.key === "Insert");
}

function isPaste(event: KeyboardEvent): boolean {
  return (event.ctrlKey && event.shiftKey && event.code === "KeyV") || (event.shiftKey && event.key === "Insert");
}

function copy(actions: KeyActions): void {
  const text = actions.selection();
  if (text === "") return;
  navigator.clipboard.writeText(text).then(actions.clearSelection, actions.clipboardDenied);
}
