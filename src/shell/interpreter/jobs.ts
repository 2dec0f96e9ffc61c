// The jobs of a shell: pipelines started in the background or stopped.

/** A pipeline that the shell does not wait for, or no longer. */
export interface Job {
  readonly number: number;
  readonly pgid: number;
  readonly pids: readonly number[];
  /** The source text, as `jobs` prints it. */
  readonly text: string;
  /** pid → exit status of members that ended. */
  readonly ended: Map<number, number>;
  state: "running" | "stopped" | "done";
  /** Status of the last member, once done. */
  status: number;
  /** Its end has been told to the user. */
  notified: boolean;
  foreground: boolean;
}

/** The jobs by number, which of them `%+` and `%-` are, and what became of those that ended. */
export class Jobs {
  readonly list: Job[] = [];
  /** Most recently used last: %+ and %-. */
  #recent: Job[] = [];
  /** Statuses of background processes that ended, for a later `wait pid`. */
  readonly endedStatuses = new Map<number, number>();

  add(pgid: number, pids: readonly number[], text: string): Job {
    const number = Math.max(0, ...this.list.map((job) => job.number)) + 1;
    const job: Job = {
      number,
      pgid,
      pids,
      text,
      ended: new Map(),
      state: "running",
      status: 0,
      notified: false,
      foreground: false,
    };
    this.list.push(job);
    this.#recent.push(job);
    return job;
  }

  remove(job: Job): void {
    const at = this.list.indexOf(job);
    if (at >= 0) this.list.splice(at, 1);
    this.#recent = this.#recent.filter((other) => other !== job);
  }

  touch(job: Job): void {
    this.#recent = [...this.#recent.filter((other) => other !== job), job];
  }

  /** Records that a process ended or stopped; returns its job. */
  note(pid: number, code: number, stopped: boolean): Job | undefined {
    const job = this.list.find((candidate) => candidate.pids.includes(pid));
    if (job === undefined) {
      if (!stopped) this.endedStatuses.set(pid, code);
      return undefined;
    }
    if (stopped) {
      job.state = "stopped";
      job.status = code;
      this.touch(job);
      return job;
    }
    this.endedStatuses.set(pid, code);
    job.ended.set(pid, code);
    if (job.ended.size === job.pids.length) {
      job.state = "done";
      job.status = job.ended.get(job.pids.at(-1) as number) ?? code;
    }
    return job;
  }

  get current(): Job | undefined {
    return this.#ordered().at(-1);
  }

  get previous(): Job | undefined {
    return this.#ordered().at(-2);
  }

  /** Stopped jobs come before running ones. */
  #ordered(): Job[] {
    return [...this.#recent.filter((job) => job.state !== "stopped"), ...this.#recent.filter((job) => job.state === "stopped")];
  }

  mark(job: Job): "+" | "-" | " " {
    if (job === this.current) return "+";
    return job === this.previous ? "-" : " ";
  }

  /** By %n, %+, %%, %-, %name or %?text. */
  find(spec: string): Job | undefined {
    const key = spec.replace(/^%/u, "");
    if (key === "" || key === "+" || key === "%") return this.current;
    if (key === "-") return this.previous;
    if (/^\d+$/u.test(key)) return this.list.find((job) => job.number === Number(key));
    if (key.startsWith("?")) return this.list.find((job) => job.text.includes(key.slice(1)));
    return this.list.find((job) => job.text.startsWith(key));
  }
}

/** A line of `jobs` or of a notice. */
function stateText({ state, status }: Job): string {
  if (state === "running") return "Running";
  if (state === "stopped") return "Stopped";
  return status === 0 ? "Done" : (signalDescription(status - 128) ?? `Exit ${status}`);
}

export function jobLine(jobs: Jobs, job: Job, showPid = false): string {
  const state = stateText(job);
  const pid = showPid ? `${job.pgid} ` : "";
  return `[${job.number}]${jobs.mark(job)}  ${pid}${state.padEnd(24)}${job.text}${job.state === "running" ? " &" : ""}\n`;
}

const descriptions: { readonly [number: number]: string } = {
  1: "Hangup",
  3: "Quit",
  4: "Illegal instruction",
  6: "Aborted",
  8: "Floating point exception",
  9: "Killed",
  10: "User defined signal 1",
  11: "Segmentation fault",
  12: "User defined signal 2",
  14: "Alarm clock",
  15: "Terminated",
};

/** What a shell prints of a process that this signal ended. */
export function signalDescription(signal: number): string | undefined {
  return descriptions[signal];
}
