// A run that was shared shows the same to whoever opens it: to the byte, in the engines of Chromium, Node and Firefox.

import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { build } from "vite";
import { labFromSources } from "../../src/lab/catalog.ts";
import type { LabDefinition } from "../../src/lab/definition.ts";
import { linkOf } from "../../src/lab/lab-file.ts";
import { type LabJournalEntry, savedFormat } from "../../src/lab/protocol.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { findFirefox, withoutFirefox } from "../../src/tools/browser.mjs";
import { openInFirefox } from "./engines/firefox.ts";

const startMs = Date.UTC(2026, 0, 15, 9);

/** Where engines have ways of their own: order, figures, letters, expressions, depth, what is no JSON, and the words for all that. */
const lines = [
  "kubectl apply -f nginx-deployment.yaml",
  "kubectl rollout status deployment/nginx-deployment",
  "kubectl get pods -o wide",
  "kubectl get all -o json | sha256sum",
  "kubectl get deployments -o 'jsonpath={.items[*].metadata.name[}'",
  "kubectl get pods -o 'go-template={{range .items}}{{.nope.nope}}{{end}}'",
  "kubectl patch deployment nginx-deployment -p '{\"spec\":'",
  "echo '{\"a\": tru}' | kubectl apply -f -",
  "printf 'é\\nE\\nz\\nÉ\\n10\\n9\\n' | sort; printf 'é\\nÉ\\n' | sort -f | uniq -i",
  "printf '%.17g %e %x\\n' 0.1 12345.678 255; awk 'BEGIN { print sin(1), exp(1.5), log(7), 2^0.5, atan2(1, 3); srand(4); print rand() }'",
  "jq -n '[1e1000, 0.1 + 0.2, (2 | log), pow(2; 0.3), (\"ÀÉ\" | ascii_downcase), ([3, 1, 2] | sort)]'",
  "jq -n 'def f: 1 + f; f'; echo '{\"a\": [1,}' | jq .",
  "echo 'Straße ΣΑΣ' | grep -io 'STRASSE\\|σας\\|straße'; echo 'a(' | grep -E 'a('",
  "for i in 1 2 3; do echo $RANDOM; sleep 1; done; date",
  "kubectl create deployment other --image=nginx:1.27 --replicas=2 && kubectl wait --for=condition=Available deployment/other",
  "kubectl describe deployment other; kubectl get events --sort-by=.metadata.name",
  "kubectl explain pod.spec.nothing; kubectl get pods -l 'a in (b'",
  "kubectl delete deployment nginx-deployment",
];

function runOf(lab: LabDefinition): Promise<string | undefined> {
  const open = { kind: "terminal-open", terminal: "1", columns: 110, rows: 40 } as const;
  const typed = lines.map((line, index): LabJournalEntry => {
    const input = { kind: "terminal-input", terminal: "1", text: `${line}\r` } as const;
    return { timeMs: startMs + 120_000 + index * 20_000, input };
  });
  const entries: readonly LabJournalEntry[] = [{ timeMs: startMs + 110_000, input: open }, ...typed];
  const nowMs = startMs + 120_000 + (lines.length + 3) * 20_000;
  return linkOf(lab.id, { format: savedFormat, seed: 11, startMs, nowMs, entries, hints: {}, solutions: [] });
}

/** Told by a page, by the name of its engine. */
class Told {
  readonly #waiting = new Map<string, (text: string) => void>();

  from(engine: string): Promise<string> {
    return new Promise((resolve) => this.#waiting.set(engine, resolve));
  }

  tell(engine: string, text: string): void {
    this.#waiting.get(engine)?.(text);
  }
}

const page = `<!doctype html><title>replay</title><script type="module">
  const tell = (text) => fetch("/told" + location.search, { method: "POST", body: text });
  try {
    const { replay } = await import("/replay.js");
    const { lab, link } = await (await fetch("/run.json")).json();
    await tell(await replay(lab, link));
  } catch (error) {
    await tell("failed: " + error + "\\n" + error.stack);
  }
</script>`;

/** On a port that is free. */
async function serve(files: { readonly [path: string]: string }, told: Told): Promise<Server> {
  const answer = (response: ServerResponse, type: string, body: string): void =>
    void response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/") return answer(response, "text/html", page);
    const file = files[pathname];
    if (file !== undefined) return answer(response, pathname.endsWith(".js") ? "text/javascript" : "application/json", file);
    if (pathname !== "/told") return void response.writeHead(404).end();
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    response.writeHead(204).end();
    told.tell(search.slice(1), Buffer.concat(pieces).toString("utf8"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** The same module in all of them. */
async function bundled(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      lib: { entry: "tests/e2e/engines/replay.ts", formats: ["es"], fileName: () => "replay.mjs" },
      outDir: folder,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return join(folder, "replay.mjs");
}

function inNode(module: string, run: string): string {
  const script = `const { replay } = await import(process.argv[1]); const { lab, link } = JSON.parse(process.argv[2]); process.stdout.write(await replay(lab, link));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script, module, run], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

test.describe("a run that was shared replays to the same bytes", () => {
  // One after the other: what they compare with is made once.
  test.describe.configure({ mode: "default" });

  const told = new Told();
  let server: Server | undefined;
  let origin: string;
  let expected: readonly string[];

  test.beforeAll(async () => {
    const lab = labFromSources(readLabSources(), "deployment-create");
    const run = JSON.stringify({ lab, link: await runOf(lab) });
    const module = await bundled(test.info().outputPath("bundle"));
    expected = inNode(module, run).split("\n");
    server = await serve({ "/replay.js": await readFile(module, "utf8"), "/run.json": run }, told);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  test.afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  test("in Chromium as in Node", async ({ page: chromium }) => {
    const inChromium = told.from("chromium");
    await chromium.goto(`${origin}/?chromium`);
    expect(expected.length).toBeGreaterThan(200);
    expect((await inChromium).split("\n")).toEqual(expected);
  });

  test("in Firefox as in Node", async () => {
    test.skip(findFirefox() === undefined, withoutFirefox);
    const failed = Promise.withResolvers<never>();
    const inFirefox = told.from("firefox");
    const close = openInFirefox(`${origin}/?firefox`, (reason) => failed.reject(new Error(reason)));
    try {
      expect((await Promise.race([inFirefox, failed.promise])).split("\n")).toEqual(expected);
    } finally {
      close();
    }
  });
});
