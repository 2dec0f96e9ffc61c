// Plays a scenario in two equal worlds, one under the real kubectl and one under ours, and compares line by line.

import { docs } from "#cluster/api/generated/docs.ts";
import { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";
import { helpTexts } from "#kubectl/help/generated/texts.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
import type { Expected, Scenario } from "./corpus.ts";
import { comparable, normalise } from "./normalise.ts";
import type { PacedDoor } from "./paced-door.ts";
import { lineLimitMs, RealShell, type Result, runSimulated } from "./shells.ts";

provideTools();

export interface Outcome {
  readonly command: string;
  readonly title: string;
  readonly line: string;
  readonly identical: boolean;
  /** Streams and exit code as compared: the real kubectl's and ours. */
  readonly real: string;
  readonly ours: string;
  /** The same as they were printed. */
  readonly printed: { readonly real: string; readonly ours: string };
  /** What the real kubectl printed that upstream states otherwise; empty when it agrees. */
  readonly unexpected: readonly string[];
  /** Server answers that a client should never see, and words of a client that could not read one. */
  readonly refusals: readonly string[];
}

provideHelpTexts(helpTexts);

/** Both worlds stand at a multiple of this after a line, so that what a line started has ended. */
const beatMs = 5000;
/** The real kubectl counts ages by this machine's clock: the worlds live an hour earlier and never overtake it. */
const startMs = Math.floor(Date.now() / 3_600_000 - 3) * 3_600_000;

function freshWorld(scenario: Scenario): World {
  const world = new World({ startMs, seed: 17, nodes: scenario.nodes, addons: scenario.addons, files: scenario.files });
  world.kernel.onProgramError = (program, error) => console.error(`oracle: ${program.argv.join(" ")} failed:`, error);
  world.cluster.apiServer.docs = docs;
  world.boot();
  return world;
}

function shown({ stdout, stderr, code }: Result): string {
  const part = (name: string, text: string): string =>
    text === "" ? "" : `--- ${name}\n${text}${text.endsWith("\n") ? "" : "\n(no newline at the end)\n"}`;
  return `${part("stdout", stdout)}${part("stderr", stderr)}--- exit code ${code}\n`;
}

function againstExpected(result: Result, expected: Expected): readonly string[] {
  const wrong: string[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const wanted = expected[stream];
    if (wanted === undefined) continue;
    if (normalise(result[stream]).text !== normalise(wanted).text)
      wrong.push(`${stream} should be:\n${wanted}and is:\n${result[stream]}`);
  }
  if (expected.code !== undefined && expected.code !== result.code)
    wrong.push(`the exit code should be ${expected.code} and is ${result.code}`);
  return wrong;
}

/** Words of a kubectl that was answered what it does not understand. */
const confusion = /wire-format|no kind "[^"]*" is registered|serializer for .* doesn't exist|panic:/;

/** What upstream's server, too, answers with the status 500. */
const rightlyFailed = /failed to create typed patch object/;

export async function play(kubectl: string, door: PacedDoor, scenario: Scenario): Promise<readonly Outcome[]> {
  const theirs = freshWorld(scenario);
  const ours = freshWorld(scenario);
  door.open(theirs);
  const shell = new RealShell(kubectl, door.port, scenario.files);
  const outcomes: Outcome[] = [];
  try {
    for (const step of scenario.steps) {
      let untilMs: number;
      if (step.kind === "wait") {
        untilMs = theirs.simulation.nowMs + step.durationMs;
      } else {
        const running = shell.run(step.line);
        const own = runSimulated(ours, step.line);
        const real = await door.during(running, lineLimitMs);
        const [left, right] = comparable(shown(real), shown(own));
        const refusals = door.takeRefusals();
        outcomes.push({
          command: scenario.command,
          title: scenario.title,
          line: step.line,
          identical: left === right,
          real: left,
          ours: right,
          printed: { real: shown(real), ours: shown(own) },
          unexpected: againstExpected(real, step.expected),
          refusals: [
            ...(rightlyFailed.test(real.stderr) ? [] : refusals),
            ...(confusion.test(real.stderr) ? [real.stderr.trim()] : []),
          ],
        });
        untilMs = Math.max(theirs.simulation.nowMs, ours.simulation.nowMs) + 1;
      }
      untilMs = Math.ceil(untilMs / beatMs) * beatMs;
      theirs.simulation.run({ untilMs });
      ours.simulation.run({ untilMs });
    }
  } finally {
    shell.remove();
  }
  return outcomes;
}
