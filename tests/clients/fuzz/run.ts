// Bad input at the door: what good clients send, with something wrong in the head, the body or the bytes of a certificate. Each must
// be answered, or the connection closed, in time; nothing may be answered with a fault of the server's, and the cluster lives on.
//
//   npm run fuzz [-- --number N] [--seed N]

import { connect } from "node:net";
import { parseArgs } from "node:util";
import { startLiveCluster } from "#server/live-cluster.ts";
import { Random } from "#sim/random.ts";
import { ask } from "../port.test-kit.ts";
import { Mutator } from "./mutate.ts";
import { allSeeds, type Seed } from "./seeds.ts";

const { values: options } = parseArgs({
  options: { number: { type: "string", default: "3000" }, seed: { type: "string", default: "1" } },
});
const patienceMs = 30_000;
const atOnce = 8;
/** What is refused by whoever was asked to pass something on is no fault: there is nobody behind it. */
const passedOn = /\/proxy|\/exec|\/portforward|\/attach|\/log/;

/** Patches that upstream answers with 500 itself, in its words. */
const upstreamToo = /"message":"(failed to create typed patch object|unknown patch type|The order in patch list)/;

interface Sample {
  readonly head: string;
  readonly bytes: Uint8Array;
}

type Outcome = { readonly status: number; readonly text: string } | "closed" | "nothing";

function isUpstreams({ head }: Sample, outcome: Outcome): boolean {
  return passedOn.test(head) || (typeof outcome !== "string" && upstreamToo.test(outcome.text));
}

let failed = false;

process.exit((await run()) ? 0 : 1);

async function run(): Promise<boolean> {
  const faults: string[] = [];
  console.error = (...parts: readonly unknown[]) => void faults.push(parts.map(String).join(" "));
  const cluster = await startLiveCluster({ port: 0, nodes: 1, seed: 1, insecureHttp: true, withoutAddons: true });
  const samples = samplesFor(Number(options.number), Number(options.seed));
  const counts = new Map<string, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < samples.length; index = next++) {
      const sample = samples[index] as Sample;
      const outcome = await send(cluster.port, sample);
      const kind = typeof outcome === "string" ? outcome : `${Math.floor(outcome.status / 100)}xx`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (kind === "nothing" || (kind === "5xx" && !isUpstreams(sample, outcome))) tell(index, sample, outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const lives = (await ask(cluster.port, "GET", "/livez")) === "ok";
  console.log(`fuzz: ${samples.length} samples of seed ${options.seed}:`, Object.fromEntries([...counts].sort()));
  for (const fault of faults.slice(0, 10)) console.log(`fuzz: a fault of ours: ${fault}`);
  if (!lives) console.log("fuzz: the server does not live");
  return lives && faults.length === 0 && !failed;
}

function tell(index: number, { head, bytes }: Sample, outcome: Outcome): void {
  failed = true;
  const what = typeof outcome === "string" ? outcome : `${outcome.status} ${outcome.text.slice(-400)}`;
  console.log(
    `fuzz: sample ${index}: ${what}\n  ${JSON.stringify(head)}\n  ${JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 600))}`,
  );
}

function samplesFor(number: number, seed: number): readonly Sample[] {
  const mutator = new Mutator(new Random(seed));
  const seeds = allSeeds();
  return Array.from({ length: number }, () => sampleOf(mutator.one(seeds), mutator));
}

function sampleOf({ method, target, headers, body }: Seed, mutator: Mutator): Sample {
  const part = mutator.below(10);
  const plain = typeof body === "string" ? Buffer.from(body) : body;
  const changesBody = plain.length > 0 && part > 2;
  const content = changesBody ? changedBody(body, mutator) : plain;
  const changedTarget = part === 0 || (plain.length === 0 && part < 7) ? mutator.text(target).replace(/[\r\n ]/g, "%20") : target;
  const lines = [
    `${method} ${changedTarget} HTTP/1.1`,
    "Host: a",
    ...headers,
    `Content-Length: ${content.length}`,
    "Connection: close",
  ];
  const isUpgrade = headers.some((header) => header.startsWith("Upgrade"));
  const head = [...(isUpgrade ? lines.slice(0, -1) : lines), "", ""].join("\r\n");
  return { head: part === 1 || part === 2 ? mutator.text(head) : head, bytes: content };
}

/** Of certificates in base64, the bytes that they stand for. */
function changedBody(body: string | Uint8Array, mutator: Mutator): Uint8Array {
  if (typeof body !== "string") return mutator.bytes(body);
  const coded = [...body.matchAll(/"([A-Za-z0-9+/]{200,}=*)"/g)];
  if (coded.length > 0 && mutator.below(3) > 0) {
    const [, text = ""] = mutator.one(coded);
    return Buffer.from(body.replace(text, Buffer.from(changedPem(Buffer.from(text, "base64"), mutator)).toString("base64")));
  }
  return mutator.below(3) === 0 ? mutator.bytes(Buffer.from(body)) : Buffer.from(mutator.text(body));
}

/** The text around a certificate, or the certificate itself. */
function changedPem(pem: Uint8Array, mutator: Mutator): Uint8Array {
  const inner = /^(-----BEGIN [A-Z ]+-----\n)([A-Za-z0-9+/=\n]+)(-----END [\s\S]*)$/.exec(Buffer.from(pem).toString());
  if (inner === null || mutator.below(4) === 0) return mutator.bytes(pem);
  const [, begin = "", coded = "", end = ""] = inner;
  return Buffer.from(`${begin}${Buffer.from(mutator.bytes(Buffer.from(coded, "base64"))).toString("base64")}\n${end}`);
}

/** What comes back until the end, or until a watch or an upgrade has begun. */
function send(port: number, { head, bytes }: Sample): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head);
      if (bytes.length > 0) socket.write(bytes);
      // Heads that lost their end are not waited for.
      socket.end();
    });
    let text = "";
    const finish = (outcome: Outcome): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(outcome);
    };
    const late = setTimeout(() => finish(text === "" ? "nothing" : outcomeOf(text)), patienceMs);
    socket.on("data", (part) => {
      text += part.toString("latin1");
      if (/^HTTP\/1\.1 101 |\r\ntransfer-encoding: chunked\r\n/i.test(text)) finish(outcomeOf(text));
    });
    socket.on("error", () => undefined);
    socket.on("close", () => finish(outcomeOf(text)));
  });
}

function outcomeOf(text: string): Outcome {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  return status === undefined ? "closed" : { status: Number(status), text };
}
