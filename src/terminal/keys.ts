// Keys that belong to the page and not to the shell: copy, paste, and the way out.

export interface KeyActions {
  /** False while a program takes the keys one by one: then Esc is the program's, however often, and Ctrl-V too. */
  readonly mayLeave: () => boolean;
  readonly leave: () => void;
  /** Lets the paused world go on; false when it is not paused: then Ctrl-Enter is the shell's. */
  readonly resume: () => boolean;
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
      if (event.repeat) return true;
      if (!actions.mayLeave()) {
        escapedAtMs = Number.NEGATIVE_INFINITY;
        return true;
      }
      const again = event.timeStamp - escapedAtMs < leaveWithinMs;
      escapedAtMs = again ? Number.NEGATIVE_INFINITY : event.timeStamp;
      if (again) actions.leave();
      return !again;
    }
    // Another key between the two: no wish to leave.
    escapedAtMs = Number.NEGATIVE_INFINITY;
    if (event.key === "Enter" && event.ctrlKey && actions.resume()) {
      event.preventDefault();
      return false;
    }
    if (isCopy(event)) {
      event.preventDefault();
      copy(actions);
      return false;
    }
    // The browser pastes into xterm's hidden field; the shell must not see the key. Ctrl+` is the page's own.
    if (isPaste(event) || (event.ctrlKey && event.key === "`")) return false;
    // At a prompt, where a browser's reader presses it; editors have a meaning of their own for it.
    return !(isCtrlV(event) && actions.mayLeave());
  };
}

function isCopy(event: KeyboardEvent): boolean {
  return (event.ctrlKey && event.shiftKey && event.code === "KeyC") || (event.ctrlKey && event.key === "Insert");
}

function isPaste(event: KeyboardEvent): boolean {
  return (event.ctrlKey && event.shiftKey && event.code === "KeyV") || (event.shiftKey && event.key === "Insert");
}

function isCtrlV(event: KeyboardEvent): boolean {
  return event.ctrlKey && !event.shiftKey && !event.altKey && event.code === "KeyV";
}

function copy(actions: KeyActions): void {
  const text = actions.selection();
  if (text === "") return;
  navigator.clipboard.writeText(text).then(actions.clearSelection, actions.clipboardDenied);
}
