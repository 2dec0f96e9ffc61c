// A real kubectl against `npm run cluster`: the process that opens the port, its command line, and a cluster in real time.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";

interface Door {
  readonly process: ChildProcess;
  readonly line: string;
}

/** Starts the cluster and waits for its one line. */
async function openDoor(args: readonly string[]): Promise<Door> {
  const door = spawn("node", ["src/server/main.ts", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  door.stdout?.on("data", (data: Buffer) => {
    output += data.toString();
  });
  for (let waited = 0; waited < 600_000 && !output.includes("\n"); waited += 50) {
    if (door.exitCode !== null) break;
    await pause(50);
  }
  return { process: door, line: output.trim() };
}

/** True when all checks hold. */
export async function checkDoor(kubectl: string): Promise<boolean> {
  let passed = 0;
  let failed = 0;

  function check(title: string, holds: boolean, detail: string): void {
    if (holds) passed += 1;
    else failed += 1;
    console.log(`${holds ? "  ok" : "  FAILED"}  ${title}`);
    if (!holds) console.log(detail.replace(/^/gm, "        "));
  }

  const folder = mkdtempSync(join(tmpdir(), "pilothouse-oracle-"));
  const kubeconfig = join(folder, "kubeconfig");
  const port = await freePort();
  const door = await openDoor(["--port", String(port), "--nodes", "3", "--kubeconfig", kubeconfig, "--seed", "5"]);

  function run(...args: readonly string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
    const result = spawnSync(kubectl, ["--kubeconfig", kubeconfig, ...args], {
      encoding: "utf8",
      timeout: 600_000,
      env: { ...process.env, HOME: folder },
    });
    return { code: result.status, out: result.stdout, err: result.stderr };
  }

  try {
    check(
      "says one line when it is ready",
      /^pilothouse: ready at https?:\/\/127\.0\.0\.1:\d+ with 4 nodes;/.test(door.line) && existsSync(kubeconfig),
      door.line,
    );

    const nodes = run("get", "nodes", "--no-headers");
    check(
      "get nodes lists four Ready nodes",
      nodes.code === 0 && nodes.out.trim().split("\n").length === 4 && !nodes.out.includes("NotReady"),
      nodes.out + nodes.err,
    );

    const watcher = spawn(kubectl, ["--kubeconfig", kubeconfig, "get", "pods", "-w"], { env: { ...process.env, HOME: folder } });
    let watched = "";
    watcher.stdout.on("data", (data: Buffer) => {
      watched += data.toString();
    });
    const manifest = join("labs", "deployment-create", "files", "web.yaml");
    const applied = run("apply", "-f", manifest);
    check(
      "apply creates the Deployment",
      applied.code === 0 && applied.out === "deployment.apps/web created\n",
      applied.out + applied.err,
    );
    const status = run("rollout", "status", "deployment/web", "--timeout=300s");
    check(
      "rollout status waits to the end",
      status.code === 0 && status.out.endsWith('deployment "web" successfully rolled out\n'),
      status.out + status.err,
    );
    const ready = () => new Set([...watched.matchAll(/^(web-\S+)\s+1\/1\s+Running/gm)].map(([, name]) => name));
    for (let waited = 0; waited < 60_000 && ready().size < 3; waited += 50) await pause(50);
    watcher.kill();
    const becameReady = ready();
    check("a watch sees three Pods become Ready", becameReady.size === 3, watched);

    const again = run("apply", "-f", manifest);
    check("apply again changes nothing", again.out === "deployment.apps/web unchanged\n", again.out + again.err);
    const logs = run("logs", "deployment/web", "--tail=20");
    check("logs of its Pods can be read", logs.code === 0 && logs.out.includes("start worker process"), logs.out + logs.err);
    const described = run("describe", "deployment", "web");
    check(
      "describe shows its ReplicaSet and event",
      /NewReplicaSet: +web-\S+ \(3\/3 replicas created\)[\s\S]*ScalingReplicaSet/.test(described.out),
      described.out + described.err,
    );
    const missing = run("get", "pod", "nothing");
    check(
      "a missing Pod is NotFound",
      missing.code === 1 && missing.err === 'Error from server (NotFound): pods "nothing" not found\n',
      missing.err,
    );
    const deleted = run("delete", "-f", manifest, "--wait=true");
    check("delete removes it", deleted.code === 0 && run("get", "deployments", "-o", "name").out === "", deleted.out + deleted.err);

    const refused = (args: readonly string[], sentence: RegExp, title: string): void => {
      const result = spawnSync("node", ["src/server/main.ts", ...args], { encoding: "utf8", timeout: 600_000 });
      check(
        title,
        result.status === 1 && sentence.test(result.stderr) && result.stderr.trim().split("\n").length === 1,
        `${result.status}\n${result.stderr}`,
      );
    };
    refused(
      ["--port", "99999", "--kubeconfig", kubeconfig],
      /--port takes a whole number/,
      "a bad port is one sentence and exit code 1",
    );
    refused(
      ["--port", String(port), "--nodes", "0", "--kubeconfig", kubeconfig],
      /is in use/,
      "a port in use is one sentence and exit code 1",
    );
    const unwritable = join(folder, "no", "such", "folder", "kubeconfig");
    refused(
      ["--port", String(await freePort()), "--nodes", "0", "--kubeconfig", unwritable],
      /cannot be written/,
      "an unwritable file is one sentence and exit code 1",
    );

    const before = readFileSync(kubeconfig, "utf8");
    const ended = new Promise<number | null>((resolve) => door.process.on("close", resolve));
    door.process.kill("SIGINT");
    check("Ctrl-C ends it cleanly", (await ended) === 0 && before !== "", "");
  } finally {
    door.process.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`oracle: ${passed} passed, ${failed} failed`);
  return failed === 0;
}
