// The ways execution leaves a command early, thrown through the interpreter.

export class LoopJump {
  readonly kind: "break" | "continue";
  levels: number;

  constructor(kind: "break" | "continue", levels: number) {
    this.kind = kind;
    this.levels = levels;
  }
}

export class FunctionReturn {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

export class ShellExit {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** Ctrl-C: back to the prompt, or the end of a shell without one. */
export class Interrupted {}

/**
 * An expansion or assignment that cannot be done. The command is given up; a shell without prompt ends where `fatal`.
 */
export class ExpansionError extends Error {
  readonly fatal: boolean;
  readonly status: number;

  constructor(message: string, fatal = false, status = 1) {
    super(message);
    this.fatal = fatal;
    this.status = status;
  }
}
