// kubectl debug: an ephemeral container in a Pod, a copy of a Pod with changes, or a Pod on a node's host.

import { ApiError } from "#cluster/api/errors.ts";
import { generatedNameAlphabet } from "#cluster/api/names.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { refusalOf } from "../../client/rest-client.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../../documents.ts";
import { ConnectionError, KubectlError } from "../../errors.ts";
import { awaitCondition } from "../../resources/awaiting.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { patchObject } from "../../resources/writing.ts";
import { attachToPod } from "../attach.ts";
import { checkCustom, customContainer, warnOfUser, withCustom } from "./debug-custom.ts";
import { checkProfile, type Kept, withProfile } from "./debug-profiles.ts";

/** How long a container that is to be attached to may take to start. */
const startLimitMs = 3_600_000;
const imageName = /^[a-z0-9]+(?:[._:/@-]+[A-Za-z0-9_.-]+)*$/i;

export const debug: Command = {
  path: "debug",
  *run(context) {
    const { flags, args, argsBeforeDash } = context;
    checkProfile(flags.text("profile"));
    const custom = customContainer(context);
    const targets = argsBeforeDash === undefined ? args : args.slice(0, argsBeforeDash);
    yield* check(context, targets, commandOf(context));
    checkCustom(custom);
    const { infos } = yield* select(context, {
      ...selectionFromFlags(context, targets),
      ...(targets.length === 0 ? {} : { defaultType: "pods" }),
      latest: true,
    });
    for (const info of infos) {
      const { pod, container } = yield* debugOne(context, info, custom);
      const attach = flags.changed("attach") ? flags.bool("attach") : flags.bool("stdin");
      if (attach && container !== "") yield* attachTo(context, pod, container);
    }
  },
};

function commandOf({ args, argsBeforeDash }: Context): readonly string[] {
  return argsBeforeDash === undefined ? [] : args.slice(argsBeforeDash);
}

function setImages({ flags }: Context): ReadonlyMap<string, string> {
  return new Map(
    flags.list("set-image").flatMap((text) => text.split(",").map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
  );
}

function* check(context: Context, targets: readonly string[], command: readonly string[]): Sys<void> {
  const { flags } = context;
  const image = flags.text("image");
  const container = flags.text("container");
  if (flags.changed("attach") && flags.bool("attach") && image === "" && container === "")
    throw new KubectlError("you must specify --container or create a new container using --image in order to attach.");
  if (flags.text("copy-to") !== "") {
    if (image === "" && setImages(context).size === 0 && command.length === 0)
      throw new KubectlError("you must specify --image, --set-image or command arguments.");
    if (command.length > 0 && container === "" && image === "")
      throw new KubectlError("you must specify an existing container or a new image when specifying args.");
  } else if (flags.bool("replace")) throw new KubectlError("--replace may only be used with --copy-to.");
  else if (flags.bool("same-node")) throw new KubectlError("--same-node may only be used with --copy-to.");
  else if (setImages(context).size > 0) throw new KubectlError("--set-image may only be used with --copy-to.");
  else if (image === "") throw new KubectlError("you must specify --image when not using --copy-to.");
  if (image !== "" && !imageName.test(image))
    throw new KubectlError(`invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (targets.length === 0 && flags.list("filename").length === 0) throw new KubectlError("NAME or filename is required for debug");
  const policy = flags.text("image-pull-policy");
  if (!["", "Always", "IfNotPresent", "Never"].includes(policy)) throw new KubectlError(`invalid image pull policy: ${policy}`);
  for (const [name, other] of setImages(context)) {
    if (!imageName.test(other)) {
      const quote = JSON.stringify;
      throw new KubectlError(`invalid image name ${quote(other)} for container ${quote(name)}: invalid reference format`);
    }
  }
  const target = flags.text("target");
  if (target !== "") {
    if (flags.text("copy-to") !== "")
      throw new KubectlError("--target is incompatible with --copy-to. Use --share-processes instead.");
    yield* say(
      context,
      `Targeting container ${JSON.stringify(target)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.`,
    );
  }
  if (flags.bool("tty") && !flags.bool("stdin")) throw new KubectlError("-i/--stdin is required for containers with -t/--tty=true");
  if (flags.text("profile") === "legacy") {
    yield* context.err(
      '--profile=legacy is deprecated and planned to be removed in v1.39. It is recommended to specify other profile, for example "--profile=general".\n',
    );
  }
}

function* say(context: Context, text: string): Sys<void> {
  if (!context.flags.bool("quiet")) yield* context.out(`${text}\n`);
}

interface Debugged {
  readonly pod: JsonObject;
  /** "" when none was added. */
  readonly container: string;
}

function* debugOne(context: Context, info: Info, custom: JsonObject): Sys<Debugged> {
  if (info.mapping.kind === "Node") return yield* debugNode(context, info, custom);
  if (info.mapping.kind === "Pod") {
    return yield* context.flags.text("copy-to") === "" ? debugInside(context, info, custom) : debugCopy(context, info, custom);
  }
  const { group, version, kind } = info.mapping;
  throw new KubectlError(`"${group}/${version}, Kind=${kind}" not supported by debug`);
}

function keptFlags({ flags }: Context): Kept {
  return {
    labels: flags.bool("keep-labels"),
    annotations: flags.bool("keep-annotations"),
    liveness: flags.bool("keep-liveness"),
    readiness: flags.bool("keep-readiness"),
    startup: flags.bool("keep-startup"),
    initContainers: flags.bool("keep-init-containers"),
  };
}

function suffix(context: Context): string {
  return context.self.random.text(5, generatedNameAlphabet);
}

function* containerName(context: Context, pod: JsonObject): Sys<string> {
  const given = context.flags.text("container");
  if (given !== "") return given;
  const taken = ["containers", "initContainers", "ephemeralContainers"].flatMap((list) => arrayAt(pod, "spec", list));
  let name: string;
  do name = `debugger-${suffix(context)}`;
  while (taken.some((one) => textAt(one, "name") === name));
  yield* say(context, `Defaulting debug container name to ${name}.`);
  return name;
}

/** Command or arguments, environment, image and streams, as the flags say. */
function containerFields(context: Context): JsonObject {
  const { flags } = context;
  const command = commandOf(context);
  const env = flags.list("env").map((pair): JsonObject => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return { name, value };
  });
  const policy = flags.text("image-pull-policy");
  return {
    ...(flags.text("image") === "" ? {} : { image: flags.text("image") }),
    ...(command.length === 0 ? {} : { [flags.bool("arguments-only") ? "args" : "command"]: command }),
    ...(env.length === 0 ? {} : { env }),
    ...(policy === "" ? {} : { imagePullPolicy: policy }),
    ...(flags.bool("stdin") ? { stdin: true } : {}),
    ...(flags.bool("tty") ? { tty: true } : {}),
  };
}

function* debugInside(context: Context, info: Info, custom: JsonObject): Sys<Debugged> {
  const pod = info.object ?? {};
  const name = yield* containerName(context, pod);
  const target = context.flags.text("target");
  const container: JsonObject = {
    name,
    ...containerFields(context),
    resources: {},
    terminationMessagePolicy: "File",
    ...(target === "" ? {} : { targetContainerName: target }),
  };
  const draft = withValue({}, ["spec", "ephemeralContainers"], [container]);
  const profiled = withCustom(
    withProfile(context.flags.text("profile"), "ephemeral", draft, name, keptFlags(context)),
    name,
    custom,
  );
  yield* warnOfUser(context, pod, arrayAt(profiled, "spec", "ephemeralContainers")[0]);
  const options = { subresource: "ephemeralcontainers", fieldManager: "" };
  const order = [...arrayAt(pod, "spec", "ephemeralContainers").filter(isObject), container].map((one) => ({
    name: textAt(one, "name"),
  }));
  const patch = withValue(profiled, ["spec", "$setElementOrder/ephemeralContainers"], order);
  return { pod: yield* patchObject(context, info, "strategic", patch, options), container: name };
}

function* debugCopy(context: Context, info: Info, custom: JsonObject): Sys<Debugged> {
  const { flags } = context;
  const original = info.object ?? {};
  const images = setImages(context);
  let spec = withValue(objectAt(original, "spec"), ["ephemeralContainers"], undefined);
  if (flags.changed("share-processes")) spec = { ...spec, shareProcessNamespace: flags.bool("share-processes") };
  if (!flags.bool("same-node")) spec = withValue(spec, ["nodeName"], undefined);
  const containers = arrayAt(spec, "containers")
    .filter(isObject)
    .map((one): JsonObject => {
      const image = images.get(textAt(one, "name")) ?? images.get("*");
      return image === undefined ? one : { ...one, image };
    });
  const metadata: JsonObject = {
    name: flags.text("copy-to"),
    namespace: info.namespace,
    ...(valueAt(original, "metadata", "annotations") === undefined
      ? {}
      : { annotations: objectAt(original, "metadata", "annotations") }),
    ...(valueAt(original, "metadata", "labels") === undefined ? {} : { labels: objectAt(original, "metadata", "labels") }),
  };
  const copy: JsonObject = { kind: "Pod", apiVersion: "v1", metadata, spec: { ...spec, containers } };
  const made = yield* withDebugContainer(context, copy, custom);
  yield* warnOfUser(
    context,
    made.pod,
    arrayAt(made.pod, "spec", "containers").find((one) => textAt(one, "name") === made.container),
  );
  const pod = yield* createPod(context, info.namespace, made.pod);
  if (flags.bool("replace")) {
    const path = `/api/v1/namespaces/${info.namespace}/pods/${info.name}`;
    yield* context.client().json({ method: "DELETE", path, body: { gracePeriodSeconds: 0 } });
  }
  return { pod, container: made.container };
}

/** The copy with its container changed, or with a new one. */
function* withDebugContainer(context: Context, copy: JsonObject, custom: JsonObject): Sys<Debugged> {
  const { flags } = context;
  const containers = arrayAt(copy, "spec", "containers").filter(isObject);
  const named = containers.find((one) => textAt(one, "name") === flags.text("container"));
  if (named === undefined && flags.text("image") === "") {
    if (setImages(context).size > 0) return { pod: copy, container: "" };
    throw new KubectlError("you must specify image when creating new container");
  }
  const name = named === undefined ? yield* containerName(context, copy) : flags.text("container");
  const fields = containerFields(context);
  const changed = (one: JsonObject): JsonObject => {
    const { stdin: _stdin, tty: _tty, ...rest } = "command" in fields ? withValue(one, ["args"], undefined) : one;
    return { ...rest, ...fields };
  };
  const next =
    named === undefined
      ? [...containers, { name, ...fields, resources: {}, terminationMessagePolicy: "File" }]
      : containers.map((one) => (one === named ? changed(one) : one));
  const pod = withValue(copy, ["spec", "containers"], next);
  const profiled = withProfile(flags.text("profile"), "copy", pod, name, keptFlags(context));
  return { pod: withCustom(profiled, name, custom), container: name };
}

function* debugNode(context: Context, info: Info, custom: JsonObject): Sys<Debugged> {
  const { flags } = context;
  const container = flags.text("container") || "debugger";
  const name = `node-debugger-${info.name}-${suffix(context)}`;
  yield* say(context, `Creating debugging pod ${name} with container ${container} on node ${info.name}.`);
  const pod: JsonObject = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name, labels: { "app.kubernetes.io/managed-by": "kubectl-debug" } },
    spec: {
      containers: [{ name: container, ...containerFields(context), resources: {}, terminationMessagePolicy: "File" }],
      restartPolicy: "Never",
      nodeName: info.name,
      tolerations: [{ operator: "Exists" }],
    },
  };
  const profiled = withCustom(withProfile(flags.text("profile"), "node", pod, container, keptFlags(context)), container, custom);
  return { pod: yield* createPod(context, context.namespace().name, profiled), container };
}

function* createPod(context: Context, namespace: string, pod: JsonObject): Sys<JsonObject> {
  const answer = yield* context.client().json({ method: "POST", path: `/api/v1/namespaces/${namespace}/pods`, body: pod });
  return isObject(answer) ? answer : {};
}

function stateOf(pod: JsonObject, container: string): JsonObject {
  const statuses = ["containerStatuses", "ephemeralContainerStatuses"].flatMap((list) => arrayAt(pod, "status", list));
  return objectAt(
    statuses.find((one) => textAt(one, "name") === container),
    "state",
  );
}

/** Waits for the container, and hands the streams over. One that has ended, or cannot be attached to, shows its log. */
function* attachTo(context: Context, created: JsonObject, container: string): Sys<void> {
  const name = textAt(created, "metadata", "name");
  const namespace = textAt(created, "metadata", "namespace");
  const mapping = yield* context.discovery().require("pods");
  const info: Info = { mapping, namespace, name, object: created, source: "" };
  const started = (pod: JsonObject): boolean => {
    const state = stateOf(pod, container);
    return "running" in state || "terminated" in state;
  };
  const tellWhy = function* (pod: JsonObject): Sys<void> {
    const message = textAt(stateOf(pod, container), "waiting", "message");
    if (message !== "" && !context.flags.bool("quiet"))
      yield* context.err(`${context.client().warningLabel()} container ${container}: ${message}\n`);
  };
  const limit = { timeoutMs: startLimitMs, deadlineMs: context.self.nowMs + startLimitMs };
  const pod = yield* awaitCondition(context, info, started, limit, tellWhy);
  if ("running" in stateOf(pod, container)) {
    const streams = { stdin: context.flags.bool("stdin"), tty: context.flags.bool("tty") };
    try {
      return yield* attachToPod(context, pod, container, streams);
    } catch (error) {
      if (!(error instanceof KubectlError || error instanceof ConnectionError || error instanceof ApiError)) throw error;
      yield* context.err(`warning: couldn't attach to pod/${name}, falling back to streaming logs: ${error.message}\n`);
    }
  }
  const client = context.client();
  const reply = yield* client.open({
    method: "GET",
    path: `/api/v1/namespaces/${namespace}/pods/${name}/log?container=${container}`,
  });
  const body = yield* client.readBody(reply);
  if (reply.status !== 200) throw refusalOf(reply.status, decodeUtf8(body));
  yield* context.out(body);
}
