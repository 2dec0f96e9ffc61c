// crane (google/go-containerregistry) on the workstation: looks at registries, moves and copies tags, and logs in. Its requests
// are logged by the registries as those of the nodes are.

import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import { type Architecture, type Image, type RegistryCredentials, usualArchitectures } from "#cluster/images/image.ts";
import { configDigest, layerDigest, platformDigest } from "#cluster/images/image-digests.ts";
import { type ImageReference, parseReference, repositoryOf } from "#cluster/images/reference.ts";
import { publicHosts, type Registry } from "#cluster/images/registry.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { civilDate } from "#sim/calendar.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

const requestMs = 180;
/** Of answers to what may be done. */
const statuses = { GET: 200, PUT: 201, DELETE: 202 } as const;
const indexType = "application/vnd.oci.image.index.v1+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Ends the command with `Error: message`. */
class CraneError extends Error {}

interface Call {
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

interface Subcommand {
  /** Names of options with values, with a letter where there is one: `username,u`. */
  readonly options: readonly string[];
  /** Those that stand alone. */
  readonly switches?: readonly string[];
  readonly operands: number;
  run(crane: Crane, call: Call): Sys<void>;
}

class Crane {
  readonly self: Process;
  readonly registry: Registry;

  constructor(self: Process, registry: Registry) {
    this.self = self;
    this.registry = registry;
  }

  *print(text: string): Sys<void> {
    yield* this.self.write(1, text);
  }

  /** A line with the time before it, as Go's log package writes. */
  *log(text: string): Sys<void> {
    const { year, month, day, hour, minute, second } = civilDate(this.self.nowMs);
    const two = (value: number): string => String(value).padStart(2, "0");
    yield* this.self.write(2, `${year}/${two(month)}/${two(day)} ${two(hour)}:${two(minute)}:${two(second)} ${text}\n`);
  }

  get configPath(): string {
    const folder = this.self.env.get("DOCKER_CONFIG") ?? `${this.self.env.get("HOME") ?? "/root"}/.docker`;
    return `${folder}/config.json`;
  }

  config(): { readonly auths?: { readonly [host: string]: { readonly auth?: string } } } {
    if (!this.self.exists(this.configPath)) return {};
    try {
      return readJson(this.self.readText(this.configPath)) as ReturnType<Crane["config"]>;
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new CraneError(`${this.configPath}: ${error.message}`);
      throw error;
    }
  }

  credentials(host: string): RegistryCredentials | undefined {
    const key = host === "docker.io" ? "https://index.docker.io/v1/" : host;
    const { bytes, valid } = decodeBase64(this.config().auths?.[key]?.auth ?? "");
    const text = decodeUtf8(bytes);
    const colon = text.indexOf(":");
    return !valid || colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
  }

  /** Asks a registry for something below `/v2/`. Throws CraneError when nobody answers, or not to this user. */
  *ask(reference: ImageReference, method: "GET" | "PUT" | "DELETE", path: string): Sys<void> {
    const { host, path: repository } = reference;
    yield* this.self.sleep(requestMs);
    const url = `https://${host === "docker.io" ? "index.docker.io" : host}/v2/`;
    const [name = ""] = host.split(":");
    if (this.registry.host(host) === undefined)
      throw new CraneError(`Get "${url}": dial tcp: lookup ${name} on 10.0.0.2:53: no such host`);
    const credentials = this.credentials(host);
    const isPublic = publicHosts.some((each) => each.host === host);
    const refused = this.registry.refusalOf(reference, credentials) !== undefined || (method !== "GET" && isPublic);
    const from = this.self.addresses().at(-1) ?? "";
    const images = path.split("/").at(-1) ?? "";
    const isMissing = method !== "PUT" && path.includes("/manifests/") && this.#image(reference, images) === undefined;
    let status = isMissing ? 404 : statuses[method];
    if (refused) status = 401;
    this.registry.log.add({ host, from, user: credentials?.username ?? "", method, path: `/v2/${path}`, status });
    if (refused) {
      const rights = { GET: ["pull"], PUT: ["pull", "push"], DELETE: ["pull", "delete"] }[method];
      const detail = rights.map((right) => `map[Action:${right} Class: Name:${repository} Type:repository]`).join(" ");
      throw new CraneError(`${method} ${url}${path}: UNAUTHORIZED: authentication required; [${detail}]`);
    }
    if (isMissing) {
      const detail = images.includes(":") ? images : `map[Tag:${images}]`;
      throw new CraneError(`${method} ${url}${path}: MANIFEST_UNKNOWN: manifest unknown; ${detail}`);
    }
  }

  #image(reference: ImageReference, name: string): Image | undefined {
    const isDigest = name.startsWith("sha256:");
    return this.registry.find({ ...reference, tag: isDigest ? undefined : name, digest: isDigest ? name : undefined });
  }

  /** What a name stands for. Throws CraneError. */
  *find(name: string): Sys<{ readonly reference: ImageReference; readonly image: Image }> {
    const reference = referenceOf(name);
    yield* this.ask(reference, "GET", `${reference.path}/manifests/${reference.digest ?? reference.tag}`);
    const image = this.registry.find(reference);
    if (image === undefined) throw new CraneError(`${name}: gone`);
    return { reference, image };
  }

  /** A tag names an image from now on. */
  *put(image: Image, target: ImageReference): Sys<void> {
    const { tag } = target;
    if (tag === undefined) throw new CraneError("a digest cannot be made to name another image");
    yield* this.ask(target, "PUT", `${target.path}/manifests/${tag}`);
    const repository = repositoryOf(target);
    this.registry.push({ ...image, repository, tag });
    yield* this.log(`${repository}:${tag}: digest: ${image.digest} size: ${manifestText(image, undefined).length}`);
  }
}

function referenceOf(name: string): ImageReference {
  const parsed = parseReference(name);
  if (!parsed.ok) throw new CraneError(`parsing reference "${name}": could not parse reference: ${name}`);
  return parsed.reference;
}

/** A repository alone. */
function repositoryNamed(name: string): ImageReference {
  const { host, path } = referenceOf(name);
  if (/:[^/]+$/u.test(name.slice(name.indexOf("/") + 1)) || name.includes("@"))
    throw new CraneError(
      `parsing repo "${name}": repository can only contain the characters \`abcdefghijklmnopqrstuvwxyz0123456789_-./\`: ${path}`,
    );
  return { host, path, tag: undefined, digest: undefined };
}

/** The platform that `--platform` asks for; undefined for the index. */
function platformOf({ options }: Call, image: Image): Architecture | undefined {
  const wanted = options.get("platform");
  if (wanted === undefined || wanted === "all") return undefined;
  const [os, architecture] = wanted.split("/");
  const found = (image.architectures ?? usualArchitectures).find((each) => os === "linux" && each === architecture);
  if (found === undefined) throw new CraneError(`no child with platform ${wanted} in index ${image.repository}:${image.tag}`);
  return found;
}

function manifestText(image: Image, architecture: Architecture | undefined): string {
  const architectures = image.architectures ?? usualArchitectures;
  const only = image.isManifest === true ? architectures[0] : architecture;
  if (only !== undefined) {
    const config = { mediaType: "application/vnd.oci.image.config.v1+json", size: 1_472, digest: configDigest(image, only) };
    const layerType = "application/vnd.oci.image.layer.v1.tar+gzip";
    const layers = [{ mediaType: layerType, size: image.sizeBytes, digest: layerDigest(image, only) }];
    return `${JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers }, null, 2)}\n`;
  }
  const manifests = architectures.map((each) => ({
    mediaType: manifestType,
    size: manifestText(image, each).length,
    digest: platformDigest(image, each),
    platform: { architecture: each, os: "linux" },
  }));
  return `${JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }, null, 2)}\n`;
}

function* login(crane: Crane, { options, operands }: Call): Sys<void> {
  const [host = ""] = operands;
  const { self } = crane;
  const username = options.get("username") ?? "";
  let password = options.get("password") ?? "";
  if (options.has("password-stdin")) password = decodeUtf8(yield* self.read(0)).replace(/\r?\n$/u, "");
  if (username === "" && password === "") throw new CraneError("username and password required");
  const config = crane.config();
  const key = host === "docker.io" ? "https://index.docker.io/v1/" : host;
  const auth = encodeBase64(encodeUtf8(`${username}:${password}`));
  const text = JSON.stringify({ ...config, auths: { ...config.auths, [key]: { auth } } }, null, "\t");
  const folder = crane.configPath.slice(0, crane.configPath.lastIndexOf("/"));
  if (!self.exists(folder)) self.mkdir(folder, 0o700);
  self.writeFile(crane.configPath, text, { permissions: 0o600 });
  yield* crane.log(`logged in via ${crane.configPath}`);
}

const platform = ["platform"];
const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ["auth login", { options: ["username,u", "password,p"], switches: ["password-stdin"], operands: 1, run: login }],
  [
    "catalog",
    {
      options: [],
      operands: 1,
      *run(crane, { operands: [host = ""] }) {
        yield* crane.ask({ host, path: "", tag: undefined, digest: undefined }, "GET", "_catalog");
        yield* crane.print(
          crane.registry
            .repositories(host)
            .map((each) => `${each}\n`)
            .join(""),
        );
      },
    },
  ],
  [
    "ls",
    {
      options: [],
      operands: 1,
      *run(crane, { operands: [name = ""] }) {
        const reference = repositoryNamed(name);
        const path = `${reference.path}/tags/list`;
        yield* crane.ask(reference, "GET", path);
        const tags = crane.registry.tags(repositoryOf(reference));
        if (tags === undefined) {
          const detail = `map[name:${reference.path}]`;
          throw new CraneError(
            `reading tags for ${repositoryOf(reference)}: GET https://${reference.host}/v2/${path}: NAME_UNKNOWN: repository name not known to registry; ${detail}`,
          );
        }
        yield* crane.print(tags.map((tag) => `${tag}\n`).join(""));
      },
    },
  ],
  [
    "digest",
    {
      options: platform,
      operands: 1,
      *run(crane, call) {
        const { image } = yield* crane.find(call.operands[0] ?? "");
        const architecture = platformOf(call, image);
        yield* crane.print(`${architecture === undefined ? image.digest : platformDigest(image, architecture)}\n`);
      },
    },
  ],
  [
    "manifest",
    {
      options: platform,
      operands: 1,
      *run(crane, call) {
        const { image } = yield* crane.find(call.operands[0] ?? "");
        yield* crane.print(manifestText(image, platformOf(call, image)));
      },
    },
  ],
  [
    "tag",
    {
      options: [],
      operands: 2,
      *run(crane, { operands: [name = "", tag = ""] }) {
        const { reference, image } = yield* crane.find(name);
        yield* crane.put(image, { ...reference, tag: referenceOf(`${repositoryOf(reference)}:${tag}`).tag, digest: undefined });
      },
    },
  ],
  ["copy", { options: [], operands: 2, run: copy }],
  ["cp", { options: [], operands: 2, run: copy }],
  [
    "delete",
    {
      options: [],
      operands: 1,
      *run(crane, { operands: [name = ""] }) {
        const reference = referenceOf(name);
        yield* crane.ask(reference, "DELETE", `${reference.path}/manifests/${reference.digest ?? reference.tag}`);
        crane.registry.remove(reference);
      },
    },
  ],
]);

function* copy(crane: Crane, { operands: [from = "", to = ""] }: Call): Sys<void> {
  const target = referenceOf(to);
  yield* crane.log(`Copying from ${from} to ${to}`);
  const { image } = yield* crane.find(from);
  yield* crane.put(image, target);
}

/** The program. */
export function crane(registry: Registry): Program {
  return function* (self) {
    try {
      const { subcommand, call } = readCall(self.argv.slice(1));
      yield* subcommand.run(new Crane(self, registry), call);
      return 0;
    } catch (error) {
      if (!(error instanceof CraneError) && !(error instanceof SysError)) throw error;
      yield* self.write(2, `Error: ${error.message}\n`);
      return 1;
    }
  };
}

function readCall(words: readonly string[]): { readonly subcommand: Subcommand; readonly call: Call } {
  const count = words[0] === "auth" ? 2 : 1;
  const name = words.slice(0, count).join(" ");
  const subcommand = subcommands.get(name);
  if (subcommand === undefined)
    throw new CraneError(`${`crane ${name}`.trim()}: not simulated; there are ${[...subcommands.keys()].join(", ")}`);
  const { switches = [] } = subcommand;
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (let at = count; at < words.length; at += 1) {
    const word = words[at] as string;
    if (!word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const [, key = "", given] = /^--?([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
    const option = [...subcommand.options, ...switches].find((each) => each.split(",").includes(key));
    if (option === undefined)
      throw new CraneError(word.startsWith("--") ? `unknown flag: --${key}` : `unknown shorthand flag: '${key}' in ${word}`);
    const [long = ""] = option.split(",");
    if (switches.includes(option)) options.set(long, "true");
    else {
      if (given === undefined) at += 1;
      const value = given ?? words[at];
      if (value === undefined) throw new CraneError(`flag needs an argument: ${word}`);
      options.set(long, value);
    }
  }
  if (operands.length !== subcommand.operands)
    throw new CraneError(`accepts ${subcommand.operands} arg(s), received ${operands.length}`);
  return { subcommand, call: { options, operands } };
}
