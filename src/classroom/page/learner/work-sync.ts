// Keeps the reader's progress and the server's the same: what was done here goes there, what was done elsewhere comes here,
// and nothing is lost on the way. What is still to be sent is what differs from the server's last answer, so it is known
// after a reload too.

import { shareProgress } from "../../../course/joined-progress.ts";
import { readProgress } from "../../../course/progress.ts";
import type { LessonWork, Work } from "../../wire.ts";
import type { Answer, ClassroomApi } from "./api.ts";
import { isLessonName, isSameWork, toProgress, toWork } from "./lesson-work.ts";
import { type Acknowledged, keptWork, type LearnerStore } from "./membership.ts";
import type { Sent } from "./sender.ts";

const nothing: Acknowledged = { lessons: {}, last: null };
/** Of one sending. */
const mostLessons = 400;
const isPlace = (place: string): boolean => /^[a-z0-9/-]{0,160}$/.test(place);

export class WorkSync {
  readonly #api: ClassroomApi;
  readonly #kept: LearnerStore<Acknowledged>;
  readonly #lock: <T>(act: () => Promise<T>) => Promise<T>;
  /** Something may have been done in another browser. */
  #isStale = true;

  /** @param lock lets one page of this browser after the other act. */
  constructor(api: ClassroomApi, learner: string, lock: <T>(act: () => Promise<T>) => Promise<T>) {
    this.#api = api;
    this.#kept = keptWork(learner);
    this.#lock = lock;
  }

  /** How many lessons are still to be sent. */
  get waiting(): number {
    return Object.keys(this.#changes().lessons).length;
  }

  /** The server has something new, or may have. */
  expire(): void {
    this.#isStale = true;
  }

  send(): Promise<Sent> {
    return this.#lock(async () => {
      if (this.#isStale) {
        this.#isStale = false;
        const sent = this.#take(await this.#api.ask<Work>("GET", "work"));
        if (sent !== "done") {
          this.#isStale = true;
          return sent;
        }
      }
      const changes = this.#changes();
      if (Object.keys(changes.lessons).length === 0 && changes.last === null) return "done";
      return this.#take(await this.#api.ask<Work>("PUT", "work", changes), changes.last);
    });
  }

  /** @param sentLast the place that went with the question. */
  #take(answer: Answer<Work>, sentLast: string | null = null): Sent {
    if (answer.kind === "later") return "later";
    // Not signed in any more: joining again begins anew.
    if (answer.kind === "refused") return answer.refusal.error === "not-signed-in" ? "ended" : "done";
    const { lessons, last } = answer.value;
    const before = this.#kept.read() ?? nothing;
    const own = readProgress().last;
    // Read here after anything that the server knows of.
    const isLater = own !== undefined && own !== (sentLast ?? before.last);
    shareProgress(
      { lessons: mapped(lessons, toProgress), last: isLater ? undefined : (last ?? undefined) },
      mapped(before.lessons, ({ done }) => done),
    );
    this.#kept.write({ lessons, last: isLater ? before.last : last });
    return "done";
  }

  #changes(): Work {
    const progress = readProgress();
    const known = this.#kept.read() ?? nothing;
    const lessons = Object.entries(progress.lessons)
      .filter(([lesson]) => isLessonName(lesson))
      .map(([lesson, own]): [string, LessonWork] => [lesson, toWork(own)])
      .filter(([lesson, own]) => !isSameWork(own, known.lessons[lesson]))
      .slice(0, mostLessons);
    const last = progress.last ?? "";
    return {
      lessons: Object.fromEntries(lessons),
      last: last !== "" && last !== known.last && isPlace(last) ? last : null,
    };
  }
}

function mapped<A, B>(record: Readonly<Record<string, A>>, act: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, act(value)]));
}
