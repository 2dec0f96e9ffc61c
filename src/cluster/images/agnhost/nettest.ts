// agnhost nettest: calls all members of its Service, is called by them, and says whether it has seen enough.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Answer, answerText, listen, logLine, untilSignalled } from "../samples/go-server.ts";
import { answerNotFound, pathOf } from "./answers.ts";
import { command } from "./command.ts";
import { goJson, goQuoted } from "./go-words.ts";
import { call, GoNetError, joinHostPort } from "./http-client.ts";
import { type InCluster, inCluster } from "./in-cluster.ts";

const rounds = 15;
const maximumLog = 500;

interface Endpoints {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly peers: number;
}

export const nettest = command({
  flags: { port: 8080, peers: 8, service: "nettest", namespace: "default", "delay-shutdown": 0 },
  *run(self, { flags }) {
    if (flags.service === "") {
      logLine(self, "Must provide -service flag.");
      return 1;
    }
    const cluster = inCluster(self);
    if (typeof cluster === "string") {
      logLine(self, `Unable to create config; error: ${cluster}`);
      return 1;
    }
    const test = new Nettest(self, { namespace: flags.namespace, name: flags.service, peers: flags.peers });
    const [readEnd, writeEnd] = self.pipe();
    const end = (code: string) => self.startThread(() => self.write(writeEnd, code));
    self.startThread(function* () {
      if (!(yield* test.contactOthers(cluster))) end("1");
    });
    if (
      !listen(
        self,
        flags.port,
        test.answer(() => end("0")),
      )
    )
      return 1;
    const wait = function* (): Sys<number> {
      return Number(decodeUtf8(yield* self.read(readEnd)));
    };
    const delaySeconds = flags["delay-shutdown"];
    if (delaySeconds <= 0) return yield* untilSignalled(self, wait);
    self.setSignal("TERM", "catch");
    try {
      return yield* wait();
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      logLine(self, `Sleeping ${delaySeconds} seconds before exit ...`);
      self.setSignal("TERM", "ignore");
      yield* self.sleep(delaySeconds * 1000);
      return 0;
    }
  },
});

class Nettest {
  readonly #self: Process;
  readonly #service: Service;
  #sent: { [host: string]: number } | null = null;
  #received: { [host: string]: number } | null = null;
  readonly #errors: string[] = [];
  readonly #log: string[] = [];
  #isContacting = true;

  constructor(self: Process, service: Service) {
    this.#self = self;
    this.#service = service;
  }

  /** `quit` ends the process. */
  answer(quit: () => void): Answer {
    const self = this.#self;
    return (request, _peer, responder) => {
      const path = pathOf(request);
      if (path === "/quit") quit();
      else if (path === "/read") answerText(self, responder, 200, this.#state());
      else if (path === "/write") answerText(self, responder, 200, this.#write(decodeUtf8(request.body)));
      else if (path === "/status") answerText(self, responder, 200, this.#status());
      else answerNotFound(self, responder);
    };
  }

  #status(): string {
    const { namespace, name, peers } = this.#service;
    const [sent, received] = [this.#sent, this.#received].map((each) => Object.keys(each ?? {}).length) as [number, number];
    if (sent >= peers && received >= peers) return "pass";
    if (this.#isContacting) return "running";
    this.#note(`Declaring failure for ${namespace}/${name} with ${sent} sent and ${received} received and ${peers} peers`);
    return "fail";
  }

  #state(): string {
    const state = {
      Hostname: this.#self.hostname,
      Sent: this.#sent,
      Received: this.#received,
      Errors: this.#errors.length === 0 ? null : this.#errors,
      Log: this.#log.length === 0 ? null : this.#log,
      StillContactingPeers: this.#isContacting,
    };
    return JSON.stringify(state, undefined, "\t");
  }

  #write(text: string): string {
    const source = fieldOf(text, "Source");
    if (source === undefined || source === "") this.#errors.push(`${this.#self.hostname}: Got request with no source`);
    else this.#received = { ...this.#received, [source]: (this.#received?.[source] ?? 0) + 1 };
    return `${goJson({ Hostname: this.#self.hostname })}\n`;
  }

  #note(text: string): void {
    this.#log.push(text);
    if (this.#log.length > maximumLog) this.#log.shift();
  }

  /** False when the API server could not be reached for long. */
  *contactOthers(cluster: InCluster): Sys<boolean> {
    const self = this.#self;
    const { namespace, name, peers } = this.#service;
    const sleepMs = Math.max(5000, Math.floor(peers / 10) * 1000);
    const limitMs = Math.max(300_000, peers * 1000);
    if (!(yield* this.#greet(cluster, limitMs, sleepMs))) return false;
    for (const beganMs = self.nowMs; self.nowMs - beganMs < limitMs; yield* self.sleep(sleepMs)) {
      const found = yield* this.#endpoints(cluster);
      if (found.length >= peers) break;
      this.#note(
        `${namespace}/${name} has ${found.length} endpoints ([${found.join(" ")}]), which is less than ${peers} as expected. Waiting for all endpoints to come up.`,
      );
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const endpoint of yield* this.#endpoints(cluster)) {
        this.#note(`Attempting to contact ${endpoint}`);
        yield* this.#contact(endpoint);
      }
      yield* self.sleep(sleepMs);
    }
    this.#isContacting = false;
    return true;
  }

  *#greet(cluster: InCluster, limitMs: number, sleepMs: number): Sys<boolean> {
    const self = this.#self;
    let last = "";
    for (const beganMs = self.nowMs; self.nowMs - beganMs < limitMs; yield* self.sleep(sleepMs + 1000))
      try {
        const { body } = yield* cluster.get("/version");
        logLine(self, `Server version: ${fieldOf(body, "gitVersion") ?? ""}`);
        return true;
      } catch (error) {
        if (!(error instanceof GoNetError)) throw error;
        last = error.message;
        logLine(self, `Unable to get server version: ${last}; retrying.`);
      }
    logLine(self, `Unable to contact Kubernetes: ${last}`);
    return false;
  }

  *#endpoints(cluster: InCluster): Sys<readonly string[]> {
    const { namespace, name } = this.#service;
    try {
      const { status, body } = yield* cluster.get(`/api/v1/namespaces/${namespace}/endpoints/${name}`);
      if (status !== 200) throw new GoNetError(fieldOf(body, "message") ?? `the server answered ${status}`);
      const { subsets = [] } = JSON.parse(body) as Endpoints;
      const urls = subsets.flatMap(({ addresses = [], ports = [] }) =>
        addresses.flatMap(({ ip }) => ports.map(({ port }) => `http://${joinHostPort(ip, port)}`)),
      );
      return [...new Set(urls)].sort();
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      this.#note(`Unable to read the endpoints for ${namespace}/${name}: ${error.message}.`);
      return [];
    }
  }

  *#contact(endpoint: string): Sys<void> {
    const self = this.#self;
    try {
      const body = goJson({ Source: self.hostname, Dest: endpoint });
      const headers = { "content-type": "application/json" };
      const reply = yield* call(self, `${endpoint}/write`, { method: "POST", headers, body });
      const host = fieldOf(reply.body, "Hostname");
      if (host === undefined)
        this.#note(`Warning: unable to unmarshal response (${reply.body}) from '${endpoint}': 'invalid JSON'`);
      else this.#sent = { ...this.#sent, [host]: (this.#sent?.[host] ?? 0) + 1 };
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      this.#note(`Warning: unable to contact the endpoint ${goQuoted(endpoint)}: ${error.message}`);
    }
  }
}

/** A text of an object in JSON. */
function fieldOf(text: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(text) as { readonly [name: string]: unknown } | null)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
