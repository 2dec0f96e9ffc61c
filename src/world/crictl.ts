// crictl on the cluster's machines: what the node's container runtime has, past the kubelet and the API server
// (cri-tools: cmd/crictl). What the real one has beyond this is refused by name.

import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { LogLine } from "#cluster/node/runtime/container-log.ts";
import type { RuntimeContainer } from "#cluster/node/runtime/cri.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { exec, pull, removeContainers, removeSandboxes, stats, stopContainers, stopSandboxes } from "./crictl-actions.ts";
import {
  type Call,
  containerOf,
  containersOf,
  countOf,
  findImage,
  has,
  idOf,
  Refusal,
  type RuntimeMachine,
  type Subcommand,
  sandboxesOf,
  tagsOf,
} from "./crictl-call.ts";
import {
  containerJson,
  containerLabels,
  documentOf,
  imageJson,
  info,
  inspectContainers,
  inspectImages,
  inspectSandboxes,
  sandboxJson,
  version,
} from "./crictl-documents.ts";
import { fail, humanAge, humanSize, log, table } from "./crictl-output.ts";
import { Output, relay } from "./relayed-output.ts";

const many = Number.POSITIVE_INFINITY;

const listOptions = "quiet,q no-trunc latest,l last=#,n id= name= namespace= state=,s output=,o";

const subcommands = new Map<string, Subcommand>([
  ["images", { options: "quiet,q digests no-trunc pinned output=,o", operands: 1, run: images }],
  ["ps", { options: `all,a ${listOptions} pod=,p label=+`, operands: 0, run: containers }],
  ["pods", { options: listOptions, operands: 0, run: pods }],
  ["logs", { options: "follow,f tail=# timestamps,t stream=,s previous,p", operands: many, run: logs }],
  ["rmi", { options: "all,a prune,q", operands: many, run: removeImages }],
  ["inspect", { options: "quiet,q output=,o", operands: many, run: inspectContainers }],
  ["inspectp", { options: "quiet,q output=,o", operands: many, run: inspectSandboxes }],
  ["inspecti", { options: "quiet,q output=,o", operands: many, run: inspectImages }],
  ["exec", { options: "tty,t interactive,i", operands: many, run: exec }],
  ["stop", { options: "timeout=#,t all,a", operands: many, run: stopContainers }],
  ["rm", { options: "force,f keep-logs,k all,a", operands: many, run: removeContainers }],
  ["stopp", { options: "", operands: many, run: stopSandboxes }],
  ["rmp", { options: "force,f all,a", operands: many, run: removeSandboxes }],
  ["pull", { options: "creds=", operands: 1, run: pull }],
  ["stats", { options: "all,a id= pod=,p seconds=#,s", operands: 1, run: stats }],
  ["info", { options: "output=,o quiet,q", operands: 0, run: info }],
  ["version", { options: "", operands: 0, run: version }],
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
    const { unreachable } = machine.runtime;
    if (unreachable !== undefined && word !== "config" && word !== "completion") {
      const socket = "unix:///run/containerd/containerd.sock";
      return yield* fail(
        self,
        `validate service connection: validate CRI v1 runtime API for endpoint "${socket}": rpc error: ${unreachable}`,
      );
    }
    try {
      return yield* subcommand.run(self, machine, readCall(word, subcommand, words));
    } catch (error) {
      if (error instanceof Refusal) return yield* fail(self, error.message);
      throw error;
    }
  };
}

function readCall(name: string, { options: allowed, operands: most }: Subcommand, words: readonly string[]): Call {
  const options = new Map<string, string>();
  const optionOf = (word: string) =>
    allowed.split(" ").find((option) =>
      option
        .replace(/=[#+]?/u, "")
        .split(",")
        .includes(word),
    );
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
        const before = option.includes("+") ? options.get(long) : undefined;
        options.set(long, before === undefined ? value : `${before},${value}`);
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

/** Whether a value fits the regular expression that an option gives. */
function fits({ options }: Call, name: string, value: string): boolean {
  const pattern = options.get(name) ?? "";
  try {
    return goRegExp(pattern).test(value);
  } catch {
    throw new Refusal(`failed to compile regex: ${pattern}`);
  }
}

function* images(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const [wanted] = call.operands;
  const all = [...new Map(runtime.images().map((stored) => [stored.id, stored])).values()]
    .filter((stored) => wanted === undefined || runtime.imageStore.find(wanted)?.image.digest === stored.image.digest)
    .map((stored) => ({ stored, id: stored.id, tags: tagsOf(runtime, stored) }))
    .sort((a, b) => compareBytes(a.tags[0] ?? a.stored.reference, b.tags[0] ?? b.stored.reference));
  const document = documentOf(call, () => ({ images: all.map(({ stored }) => imageJson(runtime, stored)) }));
  if (document !== undefined) {
    yield* self.write(1, document);
    return 0;
  }
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

/** As `--state` asks for it; undefined for any. */
function stateOf(call: Call): string | undefined {
  const state = call.options.get("state");
  return state === undefined ? undefined : asciiLowerCase(state);
}

function labelsOf({ options }: Call): { readonly [key: string]: string } {
  const given = options.get("label")?.split(",") ?? [];
  return Object.fromEntries(
    given.map((each) => {
      const [key = "", value, ...more] = each.split("=");
      if (value === undefined || more.length > 0) throw new Refusal(`incorrectly specified label: ${each}`);
      return [key, value];
    }),
  );
}

function* containers(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const state = stateOf(call);
  if (state !== undefined && !["created", "running", "exited", "unknown"].includes(state))
    throw new Refusal("listing containers: list containers: --state should be one of created, running, exited or unknown");
  const wantedState =
    has(call, "latest") || call.options.has("last") ? undefined : (state ?? (has(call, "all") ? undefined : "running"));
  const sandboxes = new Map(sandboxesOf(runtime).map((sandbox) => [sandbox.id, sandbox]));
  const labels = Object.entries(labelsOf(call));
  const found = containersOf(runtime).filter(
    (container) =>
      (wantedState === undefined || container.state === wantedState) &&
      container.sandboxId.startsWith(call.options.get("pod") ?? "") &&
      container.id.startsWith(call.options.get("id") ?? "") &&
      fits(call, "name", container.config.name) &&
      fits(call, "namespace", sandboxes.get(container.sandboxId)?.config.namespace ?? "") &&
      labels.every(([key, value]) => containerLabels(container, sandboxes.get(container.sandboxId))[key] === value),
  );
  const shown = found.slice(0, countOf(call));
  const document = documentOf(call, () => ({
    containers: shown.map((container) => containerJson(container, sandboxes.get(container.sandboxId))),
  }));
  if (has(call, "quiet") || document !== undefined) {
    yield* self.write(1, document ?? shown.map(({ id }) => `${id}\n`).join(""));
    return 0;
  }
  const head = ["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID", "POD", "NAMESPACE"];
  const rows = shown.map(({ id, sandboxId, createdMs, state: now, config }) => {
    const pod = sandboxes.get(sandboxId)?.config;
    const age = `${humanAge(self.nowMs - createdMs)} ago`;
    const place = [idOf(call, sandboxId), pod?.name ?? "unknown", pod?.namespace ?? "unknown"];
    return [idOf(call, id), idOf(call, config.image.id), age, capital(now), config.name, String(config.attempt), ...place];
  });
  yield* self.write(1, table([head, ...rows]));
  return 0;
}

function* pods(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const state = stateOf(call);
  if (state !== undefined && !["ready", "notready"].includes(state))
    throw new Refusal("listing pod sandboxes: list pod sandboxes: --state should be ready or notready");
  const found = sandboxesOf(runtime).filter(
    (sandbox) =>
      (state === undefined || asciiLowerCase(sandbox.state) === state) &&
      sandbox.id.startsWith(call.options.get("id") ?? "") &&
      fits(call, "name", sandbox.config.name) &&
      fits(call, "namespace", sandbox.config.namespace),
  );
  const shown = found.slice(0, countOf(call));
  const document = documentOf(call, () => ({ items: shown.map(sandboxJson) }));
  if (has(call, "quiet") || document !== undefined) {
    yield* self.write(1, document ?? shown.map(({ id }) => `${id}\n`).join(""));
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
  return asciiUpperCase(word.charAt(0)) + word.slice(1);
}

function* logs(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const [id] = call.operands;
  if (id === undefined) throw new Refusal("ID cannot be empty");
  const wanted = call.options.get("stream") ?? "";
  if (!["", "stdout", "stderr"].includes(wanted)) throw new Refusal(`invalid stream "${wanted}", must be "stdout" or "stderr"`);
  const named = containerOf(runtime, id);
  const container = has(call, "previous") ? previousOf(runtime, named) : named;
  const tail = Number(call.options.get("tail") ?? -1);
  const output = new Output();
  const add = ({ time, stream, bytes }: LogLine): void => {
    if (wanted !== "" && wanted !== stream) return;
    output.add(stream === "stdout" ? 1 : 2, has(call, "timestamps") ? concatBytes([time, encodeUtf8(" "), bytes]) : bytes);
  };
  const end = (): void => {
    output.exit = 0;
    output.wake();
  };
  for (const line of container.log.lines(tail < 0 ? undefined : tail)) add(line);
  const stop = has(call, "follow") ? container.log.follow(add, end) : end;
  try {
    if (!has(call, "follow")) end();
    return yield* relay(self, output, () => {});
  } finally {
    stop();
  }
}

/** The instance of the same container before this one. */
function previousOf(runtime: RuntimeMachine["runtime"], { config, sandboxId }: RuntimeContainer): RuntimeContainer {
  const before = containersOf(runtime).find(
    (each) => each.sandboxId === sandboxId && each.config.name === config.name && each.config.attempt === config.attempt - 1,
  );
  if (before === undefined) throw new Refusal(`previous terminated container "${config.name}" not found`);
  return before;
}

function* removeImages(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const prune = has(call, "prune");
  const used = new Set(prune ? containersOf(runtime).map(({ config }) => config.image.id) : []);
  const every = runtime.images().filter((stored) => !prune || (!stored.pinned && !used.has(stored.id)));
  const wholesale = prune || has(call, "all") ? every.map(({ id }) => id) : [];
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
