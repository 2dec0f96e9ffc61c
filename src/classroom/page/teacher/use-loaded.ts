// What a view has asked the server for, and what became of a form that was sent.

import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type TroubleWord, troubleOf } from "./api.ts";

export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "failed"; readonly trouble: TroubleWord };

/** Asks again whenever `key` changes. What is shown stays until the new answer is there. */
export function useLoaded<T>(
  load: () => Promise<T>,
  key: string,
): {
  readonly state: ReadonlySignal<Loaded<T>>;
  readonly reload: () => Promise<void>;
  /** As `reload`, but what is shown stays where nothing newer comes. */
  readonly refresh: () => Promise<void>;
  readonly put: (value: T) => void;
} {
  const state: Signal<Loaded<T>> = useSignal<Loaded<T>>({ kind: "loading" });
  const newest = useSignal(0);
  const ask = async (keeps: (trouble: TroubleWord) => boolean): Promise<void> => {
    newest.value += 1;
    const own = newest.peek();
    try {
      const value = await load();
      if (own === newest.peek()) state.value = { kind: "loaded", value };
    } catch (error) {
      const trouble = troubleOf(error);
      if (own === newest.peek() && !keeps(trouble)) state.value = { kind: "failed", trouble };
    }
  };
  const reload = () => ask(() => false);
  useEffect(() => {
    state.value = { kind: "loading" };
    void reload();
    // What is asked for is what the key says.
  }, [key]);
  return {
    state,
    reload,
    // What is gone is not shown any longer.
    refresh: () => ask((trouble) => state.peek().kind === "loaded" && trouble !== "not-found"),
    put: (value) => {
      newest.value += 1;
      state.value = { kind: "loaded", value };
    },
  };
}

export interface Sending {
  readonly busy: ReadonlySignal<boolean>;
  readonly trouble: Signal<TroubleWord | undefined>;
  /** Does something unless it is being done; what goes wrong is kept in `trouble`. True when it went well. */
  send(act: () => Promise<unknown>): Promise<boolean>;
}

export function useSending(): Sending {
  const busy = useSignal(false);
  const trouble = useSignal<TroubleWord | undefined>(undefined);
  const send = async (act: () => Promise<unknown>): Promise<boolean> => {
    if (busy.peek()) return false;
    busy.value = true;
    trouble.value = undefined;
    try {
      await act();
      return true;
    } catch (error) {
      trouble.value = troubleOf(error);
      return false;
    } finally {
      busy.value = false;
    }
  };
  return { busy, trouble, send };
}
