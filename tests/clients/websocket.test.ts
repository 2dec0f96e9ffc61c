// What browsers and older clients do through a WebSocket: watch, follow a log, run commands in every version of the protocol.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeUtf8 } from "#sim/bytes.ts";
import { encodeFrame, FrameDecoder, opcodes } from "#sim/network/websocket.ts";
import type { LiveCluster } from "../../src/server/live-cluster.ts";
import { ask, pod, startWithPod, until, upgraded, webSocket } from "./port.test-kit.ts";

let cluster: LiveCluster;

beforeAll(async () => {
  cluster = await startWithPod(6);
});

afterAll(() => new Promise<void>((resolve) => cluster.close(resolve)));

interface Conversation {
  /** Messages so far; texts as they came, others as bytes written in Latin-1. */
  readonly messages: readonly string[];
  /** Waits for so many messages, or for the end. */
  until(count: number): Promise<readonly string[]>;
  send(opcode: number, text: string): void;
  close(): void;
}

async function converse(path: string, headers: readonly string[]): Promise<Conversation> {
  const socket = await upgraded(cluster.port, path, headers);
  const decoder = new FrameDecoder();
  const messages: string[] = [];
  let ended = false;
  socket.on("data", (bytes: Buffer) => {
    for (const { opcode, payload } of decoder.push(new Uint8Array(bytes))) {
      if (opcode === opcodes.close) ended = true;
      else messages.push(opcode === opcodes.text ? decodeUtf8(payload) : Buffer.from(payload).toString("latin1"));
    }
  });
  return {
    messages,
    async until(count) {
      await until(`${count} messages`, () => messages.length >= count || ended);
      return messages;
    },
    send: (opcode, text) => socket.write(encodeFrame(opcode, Buffer.from(text, "latin1"), new Uint8Array([9, 8, 7, 6]))),
    close: () => socket.destroy(),
  };
}

const anyProtocol = webSocket("").filter((header) => !header.startsWith("Sec-WebSocket-Protocol"));

describe("WebSocket", () => {
  it("[API-125] carries a watch, a message an event", async () => {
    const path = "/api/v1/namespaces/default/configmaps?watch=true&labelSelector=watched%3Dyes";
    const watch = await converse(path, anyProtocol);
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "w", labels: { watched: "yes" } } };
    await ask(cluster.port, "POST", "/api/v1/namespaces/default/configmaps", JSON.stringify(body));
    await ask(cluster.port, "DELETE", "/api/v1/namespaces/default/configmaps/w");
    const events = (await watch.until(2)).map((message) => JSON.parse(message) as { type: string; object: { kind: string } });
    expect(events.map(({ type, object }) => `${type} ${object.kind}`)).toEqual(["ADDED ConfigMap", "DELETED ConfigMap"]);
    watch.close();
  });

  it("carries a log, in base64 where that is asked for", async () => {
    const plain = await converse(`${pod}/log?tailLines=1`, anyProtocol);
    const [line = ""] = await plain.until(1);
    const coded = await converse(`${pod}/log?tailLines=1`, webSocket("base64.binary.k8s.io"));
    const [text = ""] = await coded.until(1);
    expect([line.includes("start worker process"), Buffer.from(text, "base64").toString()]).toEqual([true, line]);
  });

  const run = `${pod}/exec?command=sh&command=-c&command=read%20line%3B%20printf%20%24line%3B%20exit%202&stdin=1&stdout=1`;
  const status = expect.stringContaining('"reason":"NonZeroExitCode"');
  const tooBad = "command terminated with exit code 2";

  it.each([
    ["v5.channel.k8s.io", webSocket("v5.channel.k8s.io"), status],
    ["v4.channel.k8s.io", webSocket("v4.channel.k8s.io"), status],
    ["channel.k8s.io", webSocket("channel.k8s.io"), tooBad],
    ["no protocol", anyProtocol, tooBad],
  ])("[API-055] runs commands over %s", async (_name, headers, last) => {
    const exec = await converse(run, headers);
    exec.send(opcodes.binary, "\u0000hello\n");
    const messages = await exec.until(2);
    expect([messages[0], messages[1]?.charAt(0), messages[1]?.slice(1)]).toEqual(["\u0001hello", "\u0003", last]);
  });

  it.each([
    ["v4.base64.channel.k8s.io", status],
    ["base64.channel.k8s.io", tooBad],
  ])("[API-055] runs commands over %s", async (protocol, last) => {
    const exec = await converse(run, webSocket(protocol));
    exec.send(opcodes.text, `0${btoa("hello\n")}`);
    const messages = await exec.until(2);
    expect([messages[0], messages[1]?.charAt(0), atob(messages[1]?.slice(1) ?? "")]).toEqual([`1${btoa("hello")}`, "3", last]);
  });

  /** What a command in the Pod prints. */
  async function output(command: string): Promise<string> {
    const exec = await converse(`${pod}/exec?command=sh&command=-c&command=${encodeURIComponent(command)}&stdout=1`, anyProtocol);
    await exec.until(Number.POSITIVE_INFINITY);
    return exec.messages.join("").replaceAll("\u0001", "");
  }

  it("[API-055] closes a command's input when its client has gone, and lets it run to its end", async () => {
    const command = encodeURIComponent("cat > /tmp/left; echo nobody reads this; sleep 1; echo end >> /tmp/left");
    const exec = await converse(`${pod}/exec?command=sh&command=-c&command=${command}&stdin=1&stdout=1`, anyProtocol);
    exec.send(opcodes.binary, "\u0000all of it\n");
    exec.close();
    await until("the command's last words", async () => (await output("cat /tmp/left")) === "all of it\nend\n");
  });

  it("[API-055] leaves a command on a terminal alone when its client has gone", async () => {
    const exec = await converse(`${pod}/exec?command=sleep&command=7654&stdin=1&stdout=1&tty=1`, anyProtocol);
    await until("the command", async () => (await output("cat /proc/*/cmdline")).includes("7654"));
    exec.close();
    await output("sleep 1");
    expect(await output("cat /proc/*/cmdline")).toContain("7654");
  });

  it("[API-055] ends an attachment in peace, whatever the container ends with", async () => {
    const ends = "/api/v1/namespaces/default/pods/ends";
    const command = ["sh", "-c", "read line; echo bye; exit 5"];
    const spec = { restartPolicy: "Never", containers: [{ name: "a", image: "busybox", command, stdin: true }] };
    const body = JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "ends" }, spec });
    await ask(cluster.port, "POST", "/api/v1/namespaces/default/pods", body);
    await until("the Pod to run", async () => (await ask(cluster.port, "GET", ends)).includes('"phase":"Running"'));
    const attached = await converse(`${ends}/attach?stdin=1&stdout=1`, webSocket("v5.channel.k8s.io"));
    attached.send(opcodes.binary, "\u0000now\n");
    const messages = await attached.until(2);
    expect([messages[0], JSON.parse(messages[1]?.slice(1) ?? "")]).toEqual(["\u0001bye\n", { metadata: {}, status: "Success" }]);
  });

  const get = "GET / HTTP/1.0\r\n\r\n";
  const port80 = "P\u0000";

  it.each([
    ["no protocol", anyProtocol],
    ["v4.channel.k8s.io", webSocket("v4.channel.k8s.io")],
  ])("forwards a port over %s", async (_name, headers) => {
    const forward = await converse(`${pod}/portforward?ports=80`, headers);
    forward.send(opcodes.binary, `\u0000${get}`);
    const [first, second, answer] = await forward.until(3);
    expect([first, second, answer?.slice(0, 13)]).toEqual([`\u0000${port80}`, `\u0001${port80}`, "\u0000HTTP/1.1 200"]);
    forward.close();
  });

  it("forwards a port over v4.base64.channel.k8s.io", async () => {
    const forward = await converse(`${pod}/portforward?ports=80`, webSocket("v4.base64.channel.k8s.io"));
    forward.send(opcodes.text, `0${btoa(get)}`);
    const [first, second, answer = ""] = await forward.until(3);
    expect([first, second, answer.charAt(0), atob(answer.slice(1)).slice(0, 12)]).toEqual([
      `0${btoa(port80)}`,
      `1${btoa(port80)}`,
      "0",
      "HTTP/1.1 200",
    ]);
    forward.close();
  });

  it.each([
    ["tailLines=-1", 422, 'PodLogOptions "shell" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0'],
    ["limitBytes=0", 422, 'PodLogOptions "shell" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
    ["sinceSeconds=0", 422, 'PodLogOptions "shell" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
    [
      "sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z",
      422,
      'PodLogOptions "shell" is invalid: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ["stream=Stdout", 422, 'PodLogOptions "shell" is invalid: stream: Forbidden: may not be specified'],
    ["tailLines=many", 400, 'strconv.ParseInt: parsing "many": invalid syntax'],
    ["tailLines=", 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ["sinceTime=now", 400, 'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"'],
    ["container=other", 400, "container other is not valid for pod shell"],
  ])("refuses a log with %s", async (query, code, message) => {
    expect(JSON.parse(await ask(cluster.port, "GET", `${pod}/log?${query}`))).toMatchObject({ code, message });
  });

  it("refuses protocols that nobody speaks", async () => {
    await expect(converse(run, webSocket("v9.channel.k8s.io"))).rejects.toThrow(/^HTTP\/1\.1 400 Bad Request/);
  });
});
