// What happens in a class, told to whoever has its page open: in this process, and by PostgreSQL's notifications in the
// others that share its database. Only told, never kept: a page that comes back asks for what there is.

import { EventEmitter } from "node:events";
import pg from "pg";
import type { ClassHappening } from "../wire.ts";
import { forgiveBreaks } from "./storage/open.ts";

export interface Happening extends ClassHappening {
  readonly class: string;
}

type Listener = (happening: Happening) => void;

export interface Bus {
  tell(happening: Happening): void;
  /** @returns what ends the listening. */
  listen(classId: string, listener: Listener): () => void;
  close(): Promise<void>;
}

class Listeners {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  tell(happening: Happening): void {
    this.#emitter.emit(happening.class, happening);
  }

  listen(classId: string, listener: Listener): () => void {
    this.#emitter.on(classId, listener);
    return () => void this.#emitter.off(classId, listener);
  }
}

export class LocalBus implements Bus {
  readonly #listeners = new Listeners();

  tell(happening: Happening): void {
    this.#listeners.tell(happening);
  }

  listen(classId: string, listener: Listener): () => void {
    return this.#listeners.listen(classId, listener);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const channel = "pilothouse_classroom";
const retryMs = 1000;

/** One connection listens, another one tells. Both come back when the database does. */
export class PostgresBus implements Bus {
  readonly #listeners = new Listeners();
  readonly #pool: pg.Pool;
  #closed = false;
  #listening: pg.Client | undefined;

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 5000 });
    forgiveBreaks(this.#pool);
    void this.#connect(connectionString);
  }

  tell(happening: Happening): void {
    // What is not told is seen at the page's next question.
    this.#pool.query("select pg_notify($1, $2)", [channel, JSON.stringify(happening)]).catch(() => {});
  }

  listen(classId: string, listener: Listener): () => void {
    return this.#listeners.listen(classId, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#pool.end(), this.#listening?.end()]);
  }

  async #connect(connectionString: string): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
    const again = (): void => {
      if (this.#listening === client) this.#listening = undefined;
      setTimeout(() => void this.#connect(connectionString), retryMs).unref();
    };
    client.on("notification", ({ payload }) => {
      if (payload !== undefined) this.#listeners.tell(JSON.parse(payload) as Happening);
    });
    client.on("error", () => {});
    client.once("end", again);
    try {
      await client.connect();
      this.#listening = client;
      await client.query(`listen ${channel}`);
    } catch {
      await client.end().catch(() => {});
    }
  }
}
