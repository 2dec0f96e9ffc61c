// Work that waits: a pod's worker pulls, creates, starts and sleeps in order, in virtual time. A task is a generator that
// yields waits; whoever is waited for resumes it.

/** Something to wait for: gets the function that continues the task, to be called once. */
export type Wait = (resume: () => void) => void;

export type Task<T> = Generator<Wait, T, void>;

/** Waits for a call that answers through a callback, at once or later. */
export function* call<T>(start: (done: (value: T) => void) => void): Task<T> {
  const answers: T[] = [];
  let wake: (() => void) | undefined;
  start((value) => {
    answers.push(value);
    wake?.();
  });
  if (answers.length === 0) {
    yield (resume) => {
      wake = resume;
    };
  }
  return answers[0] as T;
}

export interface RunningTask {
  /** Ends the task where it waits (its `finally` blocks run); its end is not told. */
  cancel(): void;
}

/** Runs a task until it ends; `onEnd` is called once, or `onError` when it threw, and neither after it was cancelled. */
export function runTask(task: Task<void>, onEnd: () => void, onError: (thrown: unknown) => void): RunningTask {
  let cancelled = false;
  const advance = (): void => {
    if (cancelled) return;
    let step: IteratorResult<Wait, void>;
    try {
      step = task.next();
    } catch (thrown) {
      cancelled = true;
      onError(thrown);
      return;
    }
    if (step.done === true) {
      onEnd();
      return;
    }
    let resumed = false;
    step.value(() => {
      if (resumed) return;
      resumed = true;
      advance();
    });
  };
  const running: RunningTask = {
    cancel() {
      if (cancelled) return;
      cancelled = true;
      task.return();
    },
  };
  advance();
  return running;
}
