import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes, decodeUtf8, encodeUtf8, noBytes } from "../bytes.ts";
import type { HttpHandler, HttpReply } from "../http.ts";
import { collector, machine } from "../kernel.test-kit.ts";
import type { Process, Program, Sys } from "../program.ts";
import { HttpParser } from "./http-parser.ts";
import { formatRequest } from "./http-text.ts";

function* readAll(self: Process, fd: number): Sys<string> {
  let text = "";
  for (;;) {
    const bytes = yield* self.read(fd);
    if (bytes.length === 0) return text;
    text += decodeUtf8(bytes);
  }
}

function* get(self: Process, target = "/", method = "GET"): Sys<HttpReply> {
  return yield* self.http({
    method,
    target,
    headers: { host: "localhost" },
    body: noBytes,
    address: "127.0.0.1",
    port: 8080,
  });
}

const hello: HttpHandler = (request, _peer, responder) => {
  if (request.target === "/stream") {
    const writer = responder.stream(200, { "content-type": "text/plain" });
    for (const piece of ["one ", "two ", "three"]) writer.write(encodeUtf8(piece));
    writer.end();
  } else responder.reply(200, { "content-type": "text/plain" }, encodeUtf8(`${request.method} ${request.target}`));
};

/** A server in the background, a client whose output is returned. */
function exchange(server: (self: Process) => Sys<unknown>, client: (self: Process) => Sys<string>): string {
  const { run, start, simulation } = machine();
  start(function* (self) {
    yield* server(self);
    return 0;
  });
  simulation.advance(1);
  return run(function* (self) {
    yield* self.write(1, yield* client(self));
    return 0;
  }).stdout;
}

const httpServer = (self: Process): Sys<unknown> => {
  self.serveHttp({ port: 8080, handler: hello });
  return self.sleep(1e6);
};

/** Answers every connection with a fixed text, and keeps what it got. */
function byteServer(reply: string, received: string[]): (self: Process) => Sys<unknown> {
  return function* (self) {
    const listener = self.listen({ port: 8080 });
    for (;;) {
      const { fd } = yield* self.accept(listener);
      received.push(decodeUtf8(yield* self.read(fd)));
      yield* self.write(fd, reply);
      self.close(fd);
    }
  };
}

describe("HTTP between programs", () => {
  it("carries whole and streamed replies", () => {
    const client = function* (self: Process): Sys<string> {
      const whole = yield* get(self, "/a?b=c");
      const streamed = yield* get(self, "/stream");
      return `${whole.status} ${yield* readAll(self, whole.fd)} / ${yield* readAll(self, streamed.fd)}`;
    };
    expect(exchange(httpServer, client)).toBe("200 GET /a?b=c / one two three");
  });

  it("serves a client that writes bytes", () => {
    const client = function* (self: Process): Sys<string> {
      const fd = yield* self.connect({ address: "127.0.0.1", port: 8080 });
      yield* self.write(fd, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      return yield* readAll(self, fd);
    };
    expect(exchange(httpServer, client)).toBe(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nConnection: close\r\n\r\nGET /x",
    );
  });

  it("joins a header that comes twice, and sends impersonation's values on lines of their own", () => {
    const handler: HttpHandler = ({ headers }, _peer, responder) =>
      responder.reply(200, {}, encodeUtf8(JSON.stringify([headers["x"], headers["impersonate-group"]])));
    const server = (self: Process): Sys<unknown> => {
      self.serveHttp({ port: 8080, handler });
      return self.sleep(1e6);
    };
    const client = function* (self: Process): Sys<string> {
      const fd = yield* self.connect({ address: "127.0.0.1", port: 8080 });
      yield* self.write(fd, "GET / HTTP/1.1\r\nX: a\r\nX: b\r\nImpersonate-Group: a,b\r\nImpersonate-Group: c\r\n\r\n");
      return (yield* readAll(self, fd)).split("\r\n\r\n")[1] ?? "";
    };
    expect(exchange(server, client)).toBe('["a, b","a,b\\nc"]');
    const headers = { "impersonate-group": "a,b\nc" };
    expect(decodeUtf8(formatRequest({ method: "GET", target: "/", headers, body: noBytes }))).toBe(
      "GET / HTTP/1.1\r\nImpersonate-Group: a,b\r\nImpersonate-Group: c\r\n\r\n",
    );
  });

  it("sends streams in chunks to a client that reads bytes", () => {
    const client = function* (self: Process): Sys<string> {
      const fd = yield* self.connect({ address: "127.0.0.1", port: 8080 });
      yield* self.write(fd, "GET /stream HTTP/1.1\r\n\r\n");
      return (yield* readAll(self, fd)).split("\r\n\r\n").slice(1).join("|");
    };
    expect(exchange(httpServer, client)).toBe("4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0|");
  });

  it.each(["hello there\r\n\r\n", "hello\n"])("answers what is not HTTP with 400 after its first line: %j", (text) => {
    const client = function* (self: Process): Sys<string> {
      const fd = yield* self.connect({ address: "127.0.0.1", port: 8080 });
      yield* self.write(fd, text);
      return (yield* readAll(self, fd)).split("\r\n", 1)[0] as string;
    };
    expect(exchange(httpServer, client)).toBe("HTTP/1.1 400 Bad Request");
  });

  it.each([
    ["with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi"],
    ["in chunks", "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1;x\r\ni\r\n0\r\n\r\n", "201 hi"],
    ["until the end", "HTTP/1.0 404 Not Found\n\nhi", "404 hi"],
    ["after 100 Continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 hi"],
    ["that is not HTTP", "SSH-2.0-OpenSSH\r\n\r\n", "Connection reset by peer"],
    ["that never comes", "", "Connection reset by peer"],
  ])("reads a byte server's reply %s", (_title, reply, expected) => {
    const received: string[] = [];
    const client = function* (self: Process): Sys<string> {
      try {
        const { status, fd } = yield* get(self);
        return `${status} ${yield* readAll(self, fd)}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(exchange(byteServer(reply, received), client)).toBe(expected);
    expect(received).toEqual(["GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]);
  });

  it.each([
    ["127.0.0.1", 81, "Connection refused"],
    ["10.0.0.1", 80, "Network is unreachable"],
  ])("says why %s:%i cannot be reached", (address, port, message) => {
    const { run } = machine();
    const program: Program = function* (self) {
      try {
        yield* self.connect({ address, port });
      } catch (error) {
        yield* self.write(1, (error as Error).message);
      }
      return 0;
    };
    expect(run(program).stdout).toBe(message);
  });

  it("cuts messages the same wherever the bytes are cut", () => {
    const text = encodeUtf8("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }), (cuts) => {
        const body: Uint8Array[] = [];
        const log: string[] = [];
        const parser = new HttpParser("response", {
          onHead: (head) => log.push(`${head.second} ${head.headers["x"]}`),
          onBody: (bytes) => body.push(bytes.slice()),
          onEnd: () => log.push("end"),
        });
        const places = [0, ...[...new Set(cuts)].sort((a, b) => a - b), text.length];
        for (let index = 1; index < places.length; index += 1) parser.push(text.subarray(places[index - 1], places[index]));
        expect([log, decodeUtf8(concatBytes(body))]).toEqual([["200 1", "end"], "abcdefg"]);
      }),
    );
  });

  it("listens again on a port once its process has ended", () => {
    const { start, simulation } = machine();
    const first = start(httpServer as Program);
    simulation.advance(1);
    const errors = collector();
    start(httpServer as Program, { stderr: errors.sink });
    simulation.advance(1);
    expect(errors.text()).toBe("test: Address already in use\n");
    first.signal("TERM");
    const third = start(httpServer as Program);
    simulation.advance(1);
    expect(third.exit).toBeUndefined();
  });

  it("breaks off what a killed server had not finished", () => {
    const { start, simulation } = machine();
    const server = start(function* (self) {
      self.serveHttp({
        port: 8080,
        handler: (request, _peer, responder) => {
          if (request.target === "/stream") responder.stream(200, {}).write(encodeUtf8("begun"));
        },
      });
      return yield* self.pause();
    });
    simulation.advance(1);
    const output = collector();
    const client = (target: string): Program =>
      function* (self) {
        try {
          const { fd } = yield* get(self, target);
          yield* self.write(1, `${target}: ${yield* readAll(self, fd)}\n`);
        } catch (error) {
          yield* self.write(1, `${target}: ${(error as Error).message}\n`);
        }
        return 0;
      };
    start(client("/silent"), { stdout: output.sink });
    start(client("/stream"), { stdout: output.sink });
    simulation.advance(1000);
    expect(output.text()).toBe("");
    server.signal("KILL");
    simulation.advance(1);
    expect(output.text()).toBe("/silent: Connection reset by peer\n/stream: begun\n");
  });

  it("lets a server finish what it had begun when it stopped listening, unless it is killed", () => {
    const { start, simulation } = machine();
    const output = collector();
    const server = () =>
      start(function* (self) {
        const fd = self.serveHttp({
          port: 8080,
          handler: (_request, _peer, responder) => {
            const writer = responder.stream(200, {});
            writer.write(encodeUtf8("begun"));
            self.startThread(function* () {
              yield* self.sleep(2000);
              writer.write(encodeUtf8(" and done"));
              writer.end();
            });
          },
        });
        yield* self.sleep(1000);
        self.close(fd);
        yield* self.sleep(5000);
        return 0;
      });
    const client: Program = function* (self) {
      const { fd } = yield* get(self, "/");
      yield* self.write(1, `${yield* readAll(self, fd)}\n`);
      return 0;
    };
    for (const killedAtMs of [4000, 1500]) {
      const handle = server();
      simulation.advance(1);
      start(client, { stdout: output.sink });
      simulation.advance(killedAtMs);
      handle.signal("KILL");
      simulation.advance(1);
    }
    expect(output.text()).toBe("begun and done\nbegun\n");
  });

  it("ends a server whose handler throws", () => {
    const { start, simulation, kernel, run } = machine();
    kernel.onProgramError = undefined;
    const errors = collector();
    const server = start(
      function* (self) {
        self.serveHttp({
          port: 8080,
          handler: () => {
            throw new Error("mistake");
          },
        });
        return yield* self.pause();
      },
      { stderr: errors.sink },
    );
    simulation.advance(1);
    const result = run(function* (self) {
      try {
        yield* get(self);
      } catch (error) {
        yield* self.write(1, (error as Error).message);
      }
      return 0;
    });
    expect([result.stdout, errors.text(), server.exit?.code]).toEqual(["Connection reset by peer", "test: mistake\n", 1]);
  });
});

describe("a listening descriptor that processes share", () => {
  /** A parent that listens and answers nothing, with `count` children that answer with their numbers. */
  function shared(count: number, child: (self: Process, fd: number, name: string) => Sys<unknown>) {
    const made = machine();
    const parent = made.start(function* (self) {
      const fd = self.listenHttp({ port: 8080 });
      yield* self.sleep(100);
      for (let index = 1; index <= count; index += 1) {
        const run: Program = function* (inner) {
          yield* child(inner, 3, String(index));
          return 0;
        };
        self.spawn({ run, argv: ["child"], fds: new Map([[3, fd]]) });
      }
      yield* self.sleep(1e6);
      return 0;
    });
    const ask = () => {
      const answer = { text: "", error: "" };
      const asked = { method: "GET", target: "/", headers: {}, body: noBytes };
      made.network.request({ address: "127.0.0.1", port: 8080 }, asked, {}, (result) => {
        if (result.ok) answer.text = decodeUtf8(result.exchange.body ?? noBytes);
        else answer.error = String(result.error);
      });
      made.simulation.advance(10);
      return answer;
    };
    return { ...made, parent, ask };
  }

  const named =
    (name: string): HttpHandler =>
    (_request, _peer, responder) =>
      responder.reply(200, {}, encodeUtf8(name));

  const answering = (self: Process, fd: number, name: string): Sys<unknown> => {
    self.answerHttp(fd, named(name));
    return self.sleep(1e6);
  };

  it("keeps requests until somebody answers", () => {
    const { ask, simulation } = shared(1, answering);
    const early = ask();
    expect(early).toEqual({ text: "", error: "" });
    simulation.advance(100);
    expect(early.text).toBe("1");
  });

  it("asks the first that is able to: not one that is stopped, or dead, or has closed it", () => {
    const { ask, simulation, pidNamespace } = shared(3, answering);
    simulation.advance(150);
    const children = [...pidNamespace.all()].filter(({ argv }) => argv[0] === "child");
    expect(ask().text).toBe("1");
    children[0]?.raise("STOP");
    expect(ask().text).toBe("2");
    children[1]?.raise("KILL");
    expect(ask().text).toBe("3");
    children[2]?.close(3);
    const waiting = ask();
    expect(waiting).toEqual({ text: "", error: "" });
    children[0]?.raise("CONT");
    simulation.advance(1);
    expect([waiting.text, ask().text]).toEqual(["1", "1"]);
  });

  it("asks whoever says it again after the others", () => {
    const { ask, simulation } = shared(2, (self, fd, name) => {
      const handler: HttpHandler = (...call) => {
        self.answerHttp(fd, handler);
        named(name)(...call);
      };
      self.answerHttp(fd, handler);
      return self.sleep(1e6);
    });
    simulation.advance(150);
    expect([ask().text, ask().text, ask().text]).toEqual(["1", "2", "1"]);
  });

  it("breaks off what a dead one had begun, and what waits when the last descriptor goes", () => {
    const silent = shared(1, (self, fd) => {
      self.answerHttp(fd, () => {});
      return self.sleep(1e6);
    });
    silent.simulation.advance(150);
    const begun = silent.ask();
    [...silent.pidNamespace.all()].find(({ argv }) => argv[0] === "child")?.raise("KILL");
    const waiting = silent.ask();
    expect([begun.error, waiting.error]).toEqual(["ECONNRESET", ""]);
    silent.parent.signal("KILL");
    silent.simulation.advance(1);
    expect([waiting.error, silent.ask().error]).toEqual(["ECONNRESET", "ECONNREFUSED"]);
  });
});
