// A view that asks anew when something happens in its class.

import { useEffect, useRef } from "preact/hooks";
import type { ClassHappening } from "../../wire.ts";
import { HappeningFeed } from "./happening-feed.ts";
import type { Room } from "./room.ts";

/** Calls `act` when one of `kinds` has happened, to `learner` or to all; without one, to anybody. The session that ends meanwhile is seen by
 * what `act` asks. */
export function useHappenings(
  room: Room,
  classId: string,
  kinds: readonly ClassHappening["kind"][],
  act: () => Promise<void>,
  learner?: string,
): void {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const feed = new HappeningFeed({
      open: () => new EventSource(room.api.address(`/classes/${classId}/events`)),
      refused: () => void newest.current(),
      happened: (happenings) => {
        const isMatter = ({ kind, learner: whose }: ClassHappening): boolean =>
          kinds.includes(kind) && (learner === undefined || whose === null || whose === learner);
        if (happenings === undefined || happenings.some(isMatter)) void newest.current();
      },
    });
    return () => feed.close();
    // Kinds are the view's own, always the same.
  }, [room, classId, learner]);
}
