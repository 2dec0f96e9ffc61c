// crictl on the cluster's machines: what the node's container runtime has, past the kubelet and the API server
// (cri-tools: cmd/crictl). What the real one has beyond this is refused by name.

import { digestOf } from "#cluster/images/fingerprint.ts";
import type { ContainerRuntime, RuntimeContainer, Sandbox, StoredImage } from "#cluster/node/runtime/cri.ts";
import type { ImageStore } from "#cluster/node/runtime/image-store.ts";
import { formatLogTime } from "#cluster/node/runtime/log-time.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { fail, humanAge, humanSize, log, shortId, table } from "./crictl-output.ts";

/** What crictl needs of a machine. */
export interface RuntimeMachine {
  readonly runtime: Pick<ContainerRuntime, "podUids" | "sandboxesOf" | "containersOf" | "images" | "removeImage"> & {
    readonly imageStore: Pick<ImageStore, "find" | "namesOf">;
  };
}

type Runtime = RuntimeMachine["runtime"];

/** Options by name, operands in order. */
interface Call {
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

interface Subcommand {
  /** `all,a` is a switch, `name=` takes a value, `tail=#` a whole number. */
  readonly options: string;
  /** How many operands it takes at most; with more of them the real one shows its help. */
  readonly operands: number;
  run(self: Process, runtime: Runtime, call: Call): Sys<number>;
}

/** A call that cannot be carried out; the message is logged. */
class Refusal extends Error {}

const subcommands = new Map<string, Subcommand>([
  ["images", { options: "quiet,q digests no-trunc pinned", operands: 1, run: images }],
  ["ps", { options: "all,a quiet,q no-trunc latest,l name= namespace= pod=,p state=,s", operands: 0, run: containers }],
  ["pods", { options: "quiet,q no-trunc latest,l name= namespace= state=,s", operands: 0, run: pods }],
  ["logs", { options: "tail=# timestamps,t stream=,s", operands: Number.POSITIVE_INFINITY, run: logs }],
  ["rmi", { options: "all,a prune,q", operands: Number.POSITIVE_INFINITY, run: removeImages }],
]);
const aliases = new Map([
  ["image", "images"],
  ["img", "images"],
]);

/** The program; `find` gives the machine of a host name. */
export function crictl(find: (hostname: string) => RuntimeMachine | undefined): Program {
  return function* (self) {
    const machine = find(self.hostname);
    if (machine === undefined) return yield* fail(self, "this machine has no container runtime");
    const [word = "", ...words] = self.argv.slice(1);
    const subcommand = subcommands.get(aliases.get(word) ?? word);
    const known = [...subcommands.keys()].join(", ");
    if (subcommand === undefined) {
      const call = word === "" ? "crictl without a subcommand" : `crictl ${word}`;
      return yield* fail(self, `${call}: not simulated; there are ${known}`);
    }
    try {
      return yield* subcommand.run(self, machine.runtime, readCall(word, subcommand, words));
    } catch (error) {
      if (error instanceof Refusal) return yield* fail(self, error.message);
      throw error;
    }
  };
}

function readCall(name: string, { options: allowed, operands: most }: Subcommand, words: readonly string[]): Call {
  const options = new Map<string, string>();
  const optionOf = (word: string) => allowed.split(" ").find((option) => option.replace(/=#?/u, "").split(",").includes(word));
  let at = 0;
  for (; words[at]?.startsWith("-") === true; at += 1) {
    const [, key = "", given] = /^--?([^=]+)(?:=(.*))?$/su.exec(words[at] as string) ?? [];
    const keys = optionOf(key) === undefined && !(words[at] as string).startsWith("--") ? [...key] : [key];
    for (const each of keys) {
      const option = optionOf(each);
      if (option === undefined) throw new Refusal(`crictl ${name}: option -${each}: not simulated`);
      const long = option.split(/[=,]/u)[0] as string;
      if (!option.includes("=")) options.set(long, switchValue(each, given ?? "true"));
      else {
        if (given === undefined) at += 1;
        const value = given ?? words[at];
        if (value === undefined) throw new Refusal(`flag needs an argument: -${each}`);
        if (option.includes("#") && !/^[+-]?\d+$/u.test(value))
          throw new Refusal(`invalid value ${JSON.stringify(value)} for flag -${each}: parse error`);
        options.set(long, value);
      }
    }
  }
  const operands = words.slice(at);
  if (operands.length > most)
    throw new Refusal(`crictl ${name}: ${operands[most]}: one word too many, and the help that this shows is not simulated`);
  return { options, operands };
}

/** Go's words for true and false; the first letter tells them apart. */
function switchValue(name: string, value: string): "true" | "false" {
  if (!/^(?:[10tTfF]|true|True|TRUE|false|False|FALSE)$/u.test(value))
    throw new Refusal(`invalid boolean value ${JSON.stringify(value)} for -${name}: parse error`);
  return /^[1tT]/u.test(value) ? "true" : "false";
}

function has({ options }: Call, name: string): boolean {
  return (options.get(name) ?? "false") !== "false";
}

/** Whether a value fits the regular expression that an option gives. */
function fits({ options }: Call, name: string, value: string): boolean {
  const pattern = options.get(name) ?? "";
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    throw new Refusal(`failed to compile regex: ${pattern}`);
  }
}

/** The image's configuration is what the runtime names it by. */
function imageId({ image }: StoredImage): string {
  return digestOf(`config ${image.digest}`);
}

function idOf(call: Call, id: string): string {
  return has(call, "no-trunc") ? id : shortId(id);
}

/** `repository:tag` names of all images of one content, sorted. */
function tagsOf(runtime: Runtime, stored: StoredImage): readonly string[] {
  const same = runtime.images().filter(({ image }) => image.digest === stored.image.digest);
  return same.flatMap(({ reference }) => runtime.imageStore.namesOf(reference).filter((name) => !name.includes("@"))).sort();
}

function* images(self: Process, runtime: Runtime, call: Call): Sys<number> {
  const [wanted] = call.operands;
  const all = [...new Map(runtime.images().map((stored) => [imageId(stored), stored])).values()]
    .filter((stored) => wanted === undefined || runtime.imageStore.find(wanted)?.image.digest === stored.image.digest)
    .map((stored) => ({ stored, id: imageId(stored), tags: tagsOf(runtime, stored) }))
    .sort((a, b) => ((a.tags[0] ?? a.stored.reference) < (b.tags[0] ?? b.stored.reference) ? -1 : 1));
  if (has(call, "quiet")) {
    yield* self.write(1, all.map(({ id }) => `${id}\n`).join(""));
    return 0;
  }
  const optional = (name: string, cell: string) => (has(call, name) ? [cell] : []);
  const head = ["IMAGE", "TAG", ...optional("digests", "DIGEST"), "IMAGE ID", "SIZE", ...optional("pinned", "PINNED")];
  const rows = all.flatMap(({ stored: { image, pinned }, id, tags }) =>
    (tags.length > 0 ? tags : [`${image.repository}:<none>`]).map((name) => {
      const colon = name.lastIndexOf(":");
      return [
        name.slice(0, colon),
        name.slice(colon + 1),
        ...optional("digests", idOf(call, image.digest)),
        idOf(call, id),
        humanSize(image.sizeBytes),
        ...optional("pinned", String(pinned)),
      ];
    }),
  );
  yield* self.write(1, table([head, ...rows]));
  return 0;
}

function sandboxesOf(runtime: Runtime): readonly Sandbox[] {
  return runtime
    .podUids()
    .flatMap((uid) => runtime.sandboxesOf(uid))
    .sort((a, b) => b.createdMs - a.createdMs);
}

function containersOf(runtime: Runtime): readonly RuntimeContainer[] {
  return runtime
    .podUids()
    .flatMap((uid) => runtime.containersOf(uid))
    .sort((a, b) => b.createdMs - a.createdMs);
}

function* containers(self: Process, runtime: Runtime, call: Call): Sys<number> {
  const state = call.options.get("state")?.toLowerCase();
  if (state !== undefined && !["created", "running", "exited", "unknown"].includes(state))
    throw new Refusal("listing containers: list containers: --state should be one of created, running, exited or unknown");
  const wantedState = has(call, "latest") ? undefined : (state ?? (has(call, "all") ? undefined : "running"));
  const sandboxes = new Map(sandboxesOf(runtime).map((sandbox) => [sandbox.id, sandbox]));
  const found = containersOf(runtime).filter(
    (container) =>
      (wantedState === undefined || container.state === wantedState) &&
      container.sandboxId.startsWith(call.options.get("pod") ?? "") &&
      fits(call, "name", container.config.name) &&
      fits(call, "namespace", sandboxes.get(container.sandboxId)?.config.namespace ?? ""),
  );
  const shown = has(call, "latest") ? found.slice(0, 1) : found;
  if (has(call, "quiet")) {
    yield* self.write(1, shown.map(({ id }) => `${id}\n`).join(""));
    return 0;
  }
  const head = ["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID", "POD", "NAMESPACE"];
  const rows = shown.map(({ id, sandboxId, createdMs, state: now, config }) => {
    const pod = sandboxes.get(sandboxId)?.config;
    const age = `${humanAge(self.nowMs - createdMs)} ago`;
    const place = [idOf(call, sandboxId), pod?.name ?? "unknown", pod?.namespace ?? "unknown"];
    return [idOf(call, id), idOf(call, imageId(config.image)), age, capital(now), config.name, String(config.attempt), ...place];
  });
  yield* self.write(1, table([head, ...rows]));
  return 0;
}

function* pods(self: Process, runtime: Runtime, call: Call): Sys<number> {
  const state = call.options.get("state")?.toLowerCase();
  if (state !== undefined && !["ready", "notready"].includes(state))
    throw new Refusal("listing pod sandboxes: list pod sandboxes: --state should be ready or notready");
  const found = sandboxesOf(runtime).filter(
    (sandbox) =>
      (state === undefined || sandbox.state.toLowerCase() === state) &&
      fits(call, "name", sandbox.config.name) &&
      fits(call, "namespace", sandbox.config.namespace),
  );
  const shown = has(call, "latest") ? found.slice(0, 1) : found;
  if (has(call, "quiet")) {
    yield* self.write(1, shown.map(({ id }) => `${id}\n`).join(""));
    return 0;
  }
  const head = ["POD ID", "CREATED", "STATE", "NAME", "NAMESPACE", "ATTEMPT", "RUNTIME"];
  const rows = shown.map(({ id, createdMs, state: now, config: { name, namespace, attempt, runtimeHandler } }) => {
    const age = `${humanAge(self.nowMs - createdMs)} ago`;
    return [idOf(call, id), age, capital(now), name, namespace, String(attempt), runtimeHandler || "(default)"];
  });
  yield* self.write(1, table([head, ...rows]));
  return 0;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function* logs(self: Process, runtime: Runtime, call: Call): Sys<number> {
  const [id] = call.operands;
  if (id === undefined) throw new Refusal("ID cannot be empty");
  const stream = call.options.get("stream") ?? "";
  if (!["", "stdout", "stderr"].includes(stream)) throw new Refusal(`invalid stream "${stream}", must be "stdout" or "stderr"`);
  const found = containersOf(runtime).filter((container) => container.id.startsWith(id));
  const [container] = found;
  if (container === undefined || found.length > 1) {
    const reason = found.length > 1 ? "" : ": not found";
    throw new Refusal(
      `rpc error: code = ${found.length > 1 ? "Unknown" : "NotFound"} desc = an error occurred when try to find container "${id}"${reason}`,
    );
  }
  const tail = Number(call.options.get("tail") ?? -1);
  const { entries } = container.log;
  for (const entry of tail < 0 ? entries : tail === 0 ? [] : entries.slice(-tail)) {
    if (stream !== "" && stream !== entry.stream) continue;
    const fd = entry.stream === "stdout" ? 1 : 2;
    if (has(call, "timestamps")) yield* self.write(fd, `${formatLogTime(entry)} `);
    yield* self.write(fd, entry.bytes);
  }
  return 0;
}

function* removeImages(self: Process, runtime: Runtime, call: Call): Sys<number> {
  const prune = has(call, "prune");
  const used = new Set(prune ? containersOf(runtime).map(({ config }) => imageId(config.image)) : []);
  const every = runtime.images().filter((stored) => !prune || (!stored.pinned && !used.has(imageId(stored))));
  const wholesale = prune || has(call, "all") ? every.map(imageId) : [];
  const wanted = new Set([...call.operands, ...wholesale]);
  if (wanted.size === 0 && wholesale.length === 0 && !prune)
    throw new Refusal("crictl rmi: which image? Name it, or say --prune or --all");
  let isMissing = false;
  for (const name of wanted) {
    const stored = findImage(runtime, name);
    if (stored === undefined) {
      isMissing = true;
      yield* log(self, "error", `no such image ${name}`);
      continue;
    }
    const tags = tagsOf(runtime, stored);
    const same = runtime.images().filter(({ image }) => image.digest === stored.image.digest);
    for (const { reference } of same) runtime.removeImage(reference);
    const names = tags.length > 0 ? tags : [stored.reference];
    yield* self.write(1, names.map((each) => `Deleted: ${each}\n`).join(""));
  }
  return isMissing ? yield* fail(self, "unable to remove the image(s)") : 0;
}

/** By a name, or by the first digits of its id. */
function findImage(runtime: Runtime, name: string): StoredImage | undefined {
  const digits = name.replace(/^sha256:/u, "");
  if (/^[0-9a-f]+$/u.test(digits)) {
    const byId = runtime.images().find((stored) => imageId(stored).slice("sha256:".length).startsWith(digits));
    if (byId !== undefined) return byId;
  }
  return runtime.imageStore.find(name);
}
