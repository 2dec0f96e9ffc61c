// Whatever programs do, the world goes on: its turns are short, what it keeps is bounded, others are answered, Ctrl-C works.

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

/** A thread's longest time at the processor, in microseconds of it: what was read whole is worked on whole. */
const longestTurn = 70_000;

let world: World;
let greedy: TypingLearner;
let other: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  greedy = sitDown(world);
  other = sitDown(world);
});

function expectBounded(): void {
  const { longestTurn: turn, backing } = world.kernel;
  expect(turn).toBeLessThan(longestTurn);
  expect(backing.memory.usedBytes).toBeLessThanOrEqual(backing.memory.limitBytes);
  expect(backing.files.usedBytes).toBeLessThanOrEqual(backing.files.limitBytes);
}

/** Starts a line at one terminal; the other one is answered; Ctrl-C gives the first its prompt again. */
function survives(line: string, ms = 200): string {
  greedy.press("\x03\x15\x0c", 200);
  const shown = greedy.press(`${line}\r`, ms);
  expect(other.run("kubectl get nodes -o name")).toMatch(/^node\/\S+\n/u);
  expectBounded();
  for (let again = 0; again < 3; again += 1) greedy.press("\x03", 200);
  expect(greedy.run("echo still here", 20_000)).toContain("still here");
  return shown;
}

describe("at the workstation", () => {
  it.each([
    ["yes > /dev/null"],
    ["cat /dev/zero > /dev/null"],
    ["cat /dev/urandom | grep -c x"],
    ["head -c 60000000 /dev/zero | tr '\\0' a | wc -c"],
    ["head -c 30000000 /dev/zero | grep -v q > /dev/null"],
    ["head -c 30000000 /dev/zero | uniq -c > /dev/null"],
    ["while true; do :; done"],
    ["while :; do for i in 1 2 3; do x=$i; done; done"],
    ["seq 1000000000 | tail -n 3"],
    ["yes | sort"],
    ["yes | awk '{ a[NR] = $0 }'"],
    ["awk 'BEGIN { while (1) x++ }'"],
    ["awk 'BEGIN { while (1) print x++ }'"],
    ["jq -n 'range(1e9)' > /dev/null"],
    ["yes"],
    ["dd if=/dev/zero of=/tmp/full bs=1M; rm /tmp/full"],
    ["n=0; while :; do : > /tmp/f$((n++)); done"],
    ["while :; do echo x >> /tmp/log; done"],
  ])("%s leaves room for others and ends with Ctrl-C", (line) => {
    survives(line);
  });

  it("kills what takes more memory than there is, and says so", () => {
    expect(survives("tail /dev/zero; echo status $?", 3000)).toContain("Killed");
    expect(greedy.run("tail /dev/zero; echo status $?", 20_000)).toContain("status 137");
  });

  it.each([
    ["bash -c 'x=$(yes); echo no'"],
    ["bash -c 'x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done'"],
    ["bash -c 'x=$(seq -s, 2000); while :; do a+=($x); done'"],
    ["grep x /dev/zero"],
    ["sed s/a/b/ /dev/zero"],
    ["awk 'BEGIN { x = \"a\"; while (1) x = x x }'"],
    ["jq . /dev/zero"],
  ])("%s is killed", (line) => {
    expect(greedy.run(`${line}; echo status $?`, 600_000)).toContain("status 137");
    expectBounded();
  });

  it("a disk that is full says so, and keeps what fits", () => {
    const shown = greedy.run("dd if=/dev/zero of=big bs=64M; ls -l big | cut -d' ' -f5; rm big", 600_000);
    expect(shown).toContain("dd: error writing 'big': No space left on device\n");
    expect(Number(/^\d{11}$/mu.exec(shown)?.[0])).toBeGreaterThan(20 * 1024 ** 3 - 1024 ** 2);
    expect(greedy.run("echo hello > g; while cat g >> h && cat h >> g; do :; done; rm g h", 600_000)).toContain(
      "No space left on device",
    );
    expectBounded();
  });

  it("a fork bomb meets the limit of processes; the cluster goes on, and what needs no process can end it", () => {
    greedy.press("bash -c ':() { :|:& }; :; wait'\r", 3000);
    expect(other.run("echo a builtin")).toBe("a builtin\n");
    expect(other.run("ls", 60_000)).toMatch(
      /^(?:-bash: fork: retry: Resource temporarily unavailable\n){4}-bash: fork: Resource temporarily unavailable\n$/u,
    );
    expect(world.client.list(pods, { namespace: "kube-system" }).items.every(({ status }) => status?.phase === "Running")).toBe(
      true,
    );
    expectBounded();
    other.press("kill -9 -1\r", 3000);
    greedy = sitDown(world);
    other = sitDown(world);
    expect(greedy.run("ls; echo still here", 60_000)).toContain("still here");
  });

  it("words that are too many, too long or too deep are refused in the real words", () => {
    expect(greedy.run("echo {1..100000000}")).toContain("brace expansion: cannot allocate memory for 100000000 elements");
    expect(greedy.run("ls $(seq 1 400000)", 600_000)).toContain("Argument list too long");
    expect(greedy.run("printf '%1000000000s'")).toContain("Cannot allocate memory");
    expect(greedy.run("f() { f; }; f")).toContain("maximum function nesting level exceeded");
    expect(greedy.run("echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! | grep -cE '(a|aa)+$'")).toBe("0\n");
  });
});

describe("the law", () => {
  const source = fc.constantFrom(
    "yes",
    "cat /dev/zero",
    "seq 1000000000",
    "cat /dev/urandom",
    "while :; do echo a b c; done",
    "awk 'BEGIN { while (1) print i++ }'",
  );
  const filter = fc.constantFrom(
    "cat",
    "sort",
    "tr a-z A-Z",
    "sed 's/.*\\(.\\)/\\1/'",
    "grep -v q",
    "awk '{ n[$1] = $0 }'",
    "tail -n 2",
    "head -c 30000000",
    "uniq -c",
    "tee /tmp/t",
    "wc",
    "rev",
  );
  const sink = fc.constantFrom("> /dev/null", "> /tmp/out", ">> /tmp/out", "| tail -c 3", "");
  const pipeline = fc
    .tuple(source, fc.array(filter, { maxLength: 2 }), sink)
    .map(([from, through, to]) => `{ ${[from, ...through].join(" | ")} ${to}; }`);
  const program = fc.oneof(
    pipeline,
    pipeline.map((body) => `while :; do ${body}; done`),
    fc.tuple(pipeline, pipeline).map(([first, second]) => `${first} & ${second}`),
    pipeline.map((body) => `x=$(${body})`),
    fc.constantFrom("x=a; while :; do x=$x$x; done", "tail /dev/zero"),
  );
  // At the workstation they leave no room for kubectl itself, as the test above has it: here they run in containers.
  const bomb = fc.constantFrom("f() { f | f & }; f", "while :; do sleep 0 & done");
  const inContainer = fc.oneof({ arbitrary: program, weight: 4 }, { arbitrary: bomb, weight: 1 });

  it("[POD-472] [POD-477] no program in a container or at the workstation hangs the world or takes all its memory", () => {
    let number = 0;
    fc.assert(
      fc.property(
        inContainer,
        program,
        fc.constantFrom("16Mi", "64Mi", "200Mi"),
        fc.constantFrom("50m", "300m"),
        (script, line, memory, cpu) => {
          number += 1;
          const name = `p${number}`;
          world.client.create(pods, {
            metadata: { name, namespace: "default" },
            spec: {
              restartPolicy: "Never",
              terminationGracePeriodSeconds: 0,
              containers: [
                {
                  name: "c",
                  image: "busybox:1.36",
                  command: ["sh", "-c", script],
                  resources: { limits: { memory, cpu } },
                  volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
                },
              ],
              volumes: [{ name: "tmp", emptyDir: { medium: "Memory" } }],
            },
          });
          world.simulation.advance(2_500);
          survives(`bash -c ${JSON.stringify(line).replaceAll("$", "\\$")}; rm -f /tmp/t /tmp/out`, 100);
          world.client.delete(pods, { namespace: "default", name });
          world.simulation.advance(500);
          greedy.press("pkill -9 -f seq; pkill -9 yes; pkill -9 cat; pkill -9 awk; pkill -9 tail; pkill -9 bash -n\r", 500);
        },
      ),
      { numRuns: 6 },
    );
  });
});
