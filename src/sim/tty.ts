// A terminal line: what programs see of it. The master side is in the same file once the kernel has it.

export interface TerminalModes {
  /** Line editing by the kernel: input is delivered by lines, erase and kill work. */
  readonly canonical: boolean;
  readonly echo: boolean;
  /** Ctrl-C, Ctrl-\ and Ctrl-Z become signals to the foreground group. */
  readonly signals: boolean;
  /** Newline is sent to the screen as carriage return and newline. */
  readonly outputCrLf: boolean;
}

export interface Terminal {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly modes: TerminalModes;
  setModes(modes: TerminalModes): void;
  readonly foregroundGroup: number;
  setForegroundGroup(pgid: number): void;
}
