// agnhost guestbook: a store of texts with copies, and the page before it.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { answerText, listen, logLine, parametersOf, untilSignalled } from "../samples/go-server.ts";
import { answerError, answerNotFound, pathOf } from "./answers.ts";
import { command } from "./command.ts";
import { durationText, goJson } from "./go-words.ts";
import { call, GoNetError, joinHostPort, resolveAddress } from "./http-client.ts";

const registerForMs = 15_000;
const retryMs = 1000;
const timeoutMs = 5000;

export const guestbook = command({
  flags: { "http-port": "80", "backend-port": "6379", replicaof: "" },
  *run(self, { flags }) {
    const book = new Guestbook(self, flags["backend-port"]);
    const [readEnd, writeEnd] = self.pipe();
    const port = Number(flags["http-port"]);
    if (!listen(self, port, (request, _peer, responder) => book.answer(pathOf(request), request.target, responder))) return 1;
    if (flags.replicaof !== "")
      self.startThread(function* () {
        if (!(yield* book.register(flags.replicaof))) yield* self.write(writeEnd, "failed");
      });
    return yield* untilSignalled(self, function* () {
      yield* self.read(readEnd);
      return 1;
    });
  },
});

class Guestbook {
  readonly #self: Process;
  readonly #port: string;
  #store: { readonly [key: string]: string } = {};
  readonly #replicas: string[] = [];

  constructor(self: Process, port: string) {
    this.#self = self;
    this.#port = port;
  }

  /** Whether the primary has taken it among its replicas. */
  *register(primary: string): Sys<boolean> {
    const self = this.#self;
    const place = joinHostPort(primary, this.#port);
    for (const beganMs = self.nowMs; self.nowMs - beganMs < registerForMs; yield* self.sleep(retryMs)) {
      try {
        yield* resolveAddress(self, primary);
      } catch (error) {
        if (!(error instanceof GoNetError)) throw error;
        logLine(self, `unable to get IP ${place}: dial udp: ${error.message}. Retrying in ${durationText(retryMs)}.`);
        continue;
      }
      // The address from which the primary is reached: a Pod has one.
      const request = `register?host=${self.addresses()[1] ?? "127.0.0.1"}`;
      logLine(self, `Registering to primary: ${place}/${request}`);
      try {
        const { body } = yield* call(self, `http://${place}/${request}`, { timeoutMs });
        const data = dataOf(body);
        if (data === undefined) {
          logLine(self, `Error while unmarshaling primary's response: ${body}`);
          return false;
        }
        this.#store = data;
        logLine(self, `Registered to node: ${primary}`);
        return true;
      } catch (error) {
        if (!(error instanceof GoNetError)) throw error;
        logLine(self, `encountered error while registering to primary: ${error.message}. Retrying in ${durationText(retryMs)}.`);
      }
    }
    logLine(self, "Timed out while registering to primary.");
    return false;
  }

  answer(path: string, target: string, responder: HttpResponder): void {
    const self = this.#self;
    const query = parametersOf(target);
    const value = (name: string) => query.get(name) ?? "";
    if (path === "/register") this.#answerRegister(value("host"), responder);
    else if (path === "/get") {
      logLine(self, `GET /get?key=${value("key")}`);
      const data = value("key") === "" ? this.#store : (this.#store[value("key")] ?? "");
      answerText(self, responder, 200, goJson({ data }));
    } else if (path === "/set") self.startThread(() => this.#set(value("key"), value("value"), responder));
    else if (path === "/guestbook") self.startThread(() => this.#forward(value("cmd"), value("key"), value("value"), responder));
    else answerNotFound(self, responder);
  }

  #answerRegister(host: string, responder: HttpResponder): void {
    const self = this.#self;
    logLine(self, `GET /register?host=${host}`);
    answerText(self, responder, 200, goJson({ data: this.#store }));
    this.#replicas.push(host);
    logLine(self, `Node '${host}' registered.`);
  }

  *#set(key: string, value: string, responder: HttpResponder): Sys<void> {
    const self = this.#self;
    logLine(self, `GET /set?key=${key}&value=${value}`);
    if (key === "") {
      answerError(self, responder, 400, "cannot set with empty key.");
      return;
    }
    this.#store = { ...this.#store, [key]: value };
    for (const replica of this.#replicas) {
      const place = joinHostPort(replica, this.#port);
      try {
        yield* call(self, `http://${place}/set?key=${key}&value=${value}`, { timeoutMs });
      } catch (error) {
        if (!(error instanceof GoNetError)) throw error;
        const message = `encountered error while propagating to replica '${replica}': ${error.message}`;
        answerError(self, responder, 417, message);
        return;
      }
    }
    answerText(self, responder, 200, goJson({ message: "Updated" }));
  }

  *#forward(word: string, key: string, value: string, responder: HttpResponder): Sys<void> {
    const self = this.#self;
    const verb = asciiLowerCase(word);
    logLine(self, `GET /guestbook?cmd=${verb}&key=${key}&value=${value}`);
    if (verb !== "get" && verb !== "set") {
      answerError(self, responder, 400, `unsupported cmd: '${verb}'`);
      return;
    }
    if (verb === "set" && key === "") {
      answerError(self, responder, 400, "cannot set with empty key.");
      return;
    }
    const host = verb === "get" ? "agnhost-replica" : "agnhost-primary";
    try {
      yield* resolveAddress(self, host);
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      answerError(self, responder, 400, `host and/or port param are invalid. ${error.message}`);
      return;
    }
    try {
      const url = `http://${joinHostPort(host, this.#port)}/${verb}?key=${key}&value=${value}`;
      const { body } = yield* call(self, url, { timeoutMs });
      answerText(self, responder, 200, body);
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      answerError(self, responder, 417, `encountered error: ${error.message}`);
    }
  }
}

function dataOf(text: string): { readonly [key: string]: string } | undefined {
  try {
    const { data } = JSON.parse(text) as { readonly data?: { readonly [key: string]: string } };
    return typeof data === "object" ? data : undefined;
  } catch {
    return undefined;
  }
}
