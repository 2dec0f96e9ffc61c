// What the suite's binary writes: the list of its tests, the test that begins, and Ginkgo's report of a run.

/** `interrupted`: the runner ended it for its time. `skipped`: the test itself found that it cannot be played here. */
export type State = "passed" | "failed" | "interrupted" | "skipped";

export interface Result {
  /** Ginkgo's full text, by which `--focus` finds it. */
  readonly name: string;
  readonly state: State;
  readonly seconds: number;
  /** Why it did not pass, in the suite's words; empty when it passed. */
  readonly reason: string;
  /** What it logged. */
  readonly log: string;
}

export interface SuiteReport {
  readonly results: readonly Result[];
  /** Why none of the tests began; undefined when they did. */
  readonly setupFailure: string | undefined;
}

/** Names in what `--list-tests` prints: one a line, behind the place in the sources. */
export function readTestList(text: string): string[] {
  return [...text.matchAll(/^\s*\S+:\d+: (\[sig-.*)$/gm)].map(([, name = ""]) => name.trimEnd()).sort();
}

/** `[sig-node] Pods …` → `sig-node`. */
export function sigOf(name: string): string {
  return /^\[(sig-[a-z-]+)\]/.exec(name)?.[1] ?? "without a sig";
}

export function isConformance(name: string): boolean {
  return name.includes("[Conformance]");
}

/** A test that must have the cluster for itself. */
export function isAlone(name: string): boolean {
  return /\[(Serial|Disruptive)\]/.test(name);
}

/** A regular expression of Go for exactly these tests. Ginkgo holds it against the suite's title and the name. */
export function focusOn(names: readonly string[]): string {
  return `(^| )(${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`;
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly RunTime: number;
  readonly NumAttempts: number;
  readonly Failure?: {
    readonly Message?: string;
    readonly Location?: { readonly FileName?: string; readonly LineNumber?: number };
  };
  readonly AdditionalFailures?: readonly { readonly Failure?: { readonly Message?: string } }[];
  readonly CapturedGinkgoWriterOutput?: string;
  readonly CapturedStdOutErr?: string;
}

const nanoseconds = 1e9;

/** Reads Ginkgo's report; tests that were filtered out, or not come to, are left out. */
export function readSuiteReport(text: string): SuiteReport {
  const specs = (JSON.parse(text) as { readonly SpecReports: readonly SpecReport[] | null }[]).flatMap(
    ({ SpecReports }) => SpecReports ?? [],
  );
  const broken = specs.find(({ LeafNodeType, State }) => LeafNodeType.includes("BeforeSuite") && State !== "passed");
  return {
    results: specs.filter(wasPlayed).map(resultOf),
    setupFailure: broken === undefined ? undefined : reasonOf(broken),
  };
}

/** Tests that are not focused on are reported as skipped as well, but were never tried. */
function wasPlayed({ LeafNodeType, State, NumAttempts }: SpecReport): boolean {
  return LeafNodeType === "It" && NumAttempts > 0 && State !== "pending";
}

function resultOf(spec: SpecReport): Result {
  const state = stateOf(spec.State);
  return {
    name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].filter((part) => part !== "").join(" "),
    state,
    seconds: spec.RunTime / nanoseconds,
    reason: state === "passed" ? "" : reasonOf(spec),
    log: [spec.CapturedGinkgoWriterOutput, spec.CapturedStdOutErr].filter(Boolean).join("\n"),
  };
}

function stateOf(state: string): State {
  if (state === "passed" || state === "skipped" || state === "interrupted") return state;
  // failed, panicked, aborted, timedout
  return "failed";
}

function reasonOf({ Failure, AdditionalFailures = [] }: SpecReport): string {
  const place = Failure?.Location?.FileName === undefined ? "" : ` (${Failure.Location.FileName}:${Failure.Location.LineNumber})`;
  const others = AdditionalFailures.map((each) => each.Failure?.Message ?? "").filter((message) => message !== "");
  return [`${(Failure?.Message ?? "").trim()}${place}`, ...others].join("\n").trim();
}
