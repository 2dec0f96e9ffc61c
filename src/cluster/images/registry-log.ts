// What the registries were asked for: the last requests of each host, as their access logs tell them.

export interface RegistryRequest {
  /** `registry.lab.example:5000` */
  readonly host: string;
  /** Address of whoever asked. */
  readonly from: string;
  /** "" for whoever brought no password. */
  readonly user: string;
  readonly method: "HEAD" | "GET" | "PUT" | "DELETE";
  /** `/v2/team-a/app/manifests/v1` */
  readonly path: string;
  readonly status: number;
}

export interface LoggedRequest extends RegistryRequest {
  readonly timeMs: number;
}

/** Requests of one host that are kept. */
const maximumEntries = 1000;

export class RegistryLog {
  readonly #now: () => number;
  readonly #hosts = new Map<string, LoggedRequest[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(request: RegistryRequest): void {
    const entries = this.#hosts.get(request.host) ?? [];
    this.#hosts.set(request.host, entries);
    entries.push({ ...request, timeMs: this.#now() });
    if (entries.length >= 2 * maximumEntries) entries.splice(0, entries.length - maximumEntries);
  }

  /** Of one host, oldest first. */
  entries(host: string): readonly LoggedRequest[] {
    return (this.#hosts.get(host) ?? []).slice(-maximumEntries);
  }
}
