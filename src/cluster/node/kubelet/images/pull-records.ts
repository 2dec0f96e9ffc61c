// With which credentials the kubelet has pulled which image, in files that outlive it, and whether a Pod may use an image that is there
// (pkg/kubelet/images/pullmanager, KubeletEnsureSecretPulledImages).

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { formatTime } from "#cluster/api/time.ts";
import { parseReference, repositoryOf } from "#cluster/images/reference.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { SecretSource, TrackedCredentials } from "./keyring.ts";

export const verificationPolicies = [
  "NeverVerify",
  "NeverVerifyPreloadedImages",
  "NeverVerifyAllowlistedImages",
  "AlwaysVerify",
] as const;

/** Of which images that are there a Pod must show that it may have them (imagePullCredentialsVerificationPolicy). */
export interface VerificationPolicy {
  readonly policy: (typeof verificationPolicies)[number];
  /** Repositories, or beginnings of them that end with `/*`; counts for NeverVerifyAllowlistedImages. */
  readonly allowlist: readonly string[];
}

export const usualVerification: VerificationPolicy = { policy: "NeverVerifyPreloadedImages", allowlist: [] };

interface RecordedSecret extends SecretSource {
  readonly credentialHash: string;
}

interface RecordedCredentials {
  /** Every Pod of the node may use it. */
  readonly nodePodsAccessible?: boolean;
  readonly kubernetesSecrets?: readonly RecordedSecret[];
}

interface PulledRecord {
  readonly lastUpdatedTime: string;
  readonly imageRef: string;
  /** By repository, without tag or digest. */
  readonly credentialMapping: { readonly [repository: string]: RecordedCredentials };
}

const directory = "/var/lib/kubelet/image_manager";
const apiVersion = "kubelet.config.k8s.io/v1beta1";

function digestOfText(text: string): string {
  return bytesToHex(sha256(encodeUtf8(text)));
}

/** Stands for a password without giving it away; the fields are those of an AuthConfig that is not empty. */
function credentialHash({ username, password }: TrackedCredentials): string {
  const stated = { ...(username === "" ? {} : { username }), ...(password === "" ? {} : { password }) };
  return digestOfText(JSON.stringify(stated));
}

function recordedSecret(credentials: TrackedCredentials, { uid, namespace, name }: SecretSource): RecordedSecret {
  return { uid, namespace, name, credentialHash: credentialHash(credentials) };
}

/** `docker.io/library/nginx` for `nginx:1.27`. */
export function repositoryOfImage(image: string): string {
  const parsed = parseReference(image);
  return parsed.ok ? repositoryOf(parsed.reference) : image;
}

export class PullRecords {
  readonly #files: HostFiles;
  readonly #verification: VerificationPolicy;
  /** How many pulls of an image are under way, by its name. */
  readonly #pulling = new Map<string, number>();
  /** Of names and IDs of images: hashing costs more than all else here. */
  readonly #digests = new Map<string, string>();
  /** By file, what its text said when it was last read: each container that starts asks. */
  readonly #parsed = new Map<string, { readonly text: string; readonly value: unknown }>();

  constructor(files: HostFiles, verification: VerificationPolicy) {
    this.#files = files;
    this.#verification = verification;
  }

  /** Images whose pull a kubelet before this one did not see the end of count as pulled, by nobody knows whom. `find` gives an ID. */
  start(find: (image: string) => string | undefined): void {
    for (const path of this.#list("pulling")) {
      const { image = "" } = (this.#read(path) ?? {}) as { readonly image?: string };
      const id = find(image);
      if (id === undefined) continue;
      this.#merge(image, id, undefined);
      this.#files.unlink(path);
    }
  }

  pullBegins(image: string): void {
    this.#pulling.set(image, (this.#pulling.get(image) ?? 0) + 1);
    this.#write("pulling", image, { kind: "ImagePullIntent", apiVersion, image });
  }

  /** `id` is undefined for a pull that failed; `used`: with which credentials it went, undefined without any. */
  pullEnds(image: string, id: string | undefined, used: TrackedCredentials | undefined): void {
    if (id !== undefined) this.#merge(image, id, credentialsToRecord(used));
    const count = (this.#pulling.get(image) ?? 1) - 1;
    if (count > 0) {
      this.#pulling.set(image, count);
      return;
    }
    this.#pulling.delete(image);
    const path = this.#path("pulling", image);
    if (this.#files.exists(path)) this.#files.unlink(path);
  }

  /** Whether Pods may use an image that is there under this ID; `asks`: those may whose credentials are recorded (`grants`). */
  access(image: string, id: string): "granted" | "denied" | "asks" {
    const record = this.#record(id);
    const wasPulled = record !== undefined || this.#files.exists(this.#path("pulling", image));
    if (!this.#mustVerify(image, wasPulled)) return "granted";
    const recorded = record?.credentialMapping[repositoryOfImage(image)];
    if (recorded === undefined) return "denied";
    return recorded.nodePodsAccessible === true ? "granted" : "asks";
  }

  /** The same Secret with other text, or another one with the same text, counts too, and by itself from now on. */
  grants(image: string, id: string, credentials: readonly TrackedCredentials[]): boolean {
    const recorded = this.#record(id)?.credentialMapping[repositoryOfImage(image)]?.kubernetesSecrets ?? [];
    for (const own of credentials) {
      if (own.source === undefined) continue;
      const secret = recordedSecret(own, own.source);
      for (const known of recorded) {
        const isSameText = known.credentialHash === secret.credentialHash;
        const isSameObject = objectOf(known) === objectOf(secret);
        if (!isSameText && !isSameObject) continue;
        if (!isSameText || !isSameObject) this.#merge(image, id, { kubernetesSecrets: [secret] });
        return true;
      }
    }
    return false;
  }

  /** Forgets images that are there no more. */
  prune(ids: ReadonlySet<string>): void {
    for (const path of this.#list("pulled")) {
      const record = this.#read(path) as PulledRecord | undefined;
      if (record !== undefined && !ids.has(record.imageRef)) this.#files.unlink(path);
    }
  }

  #mustVerify(image: string, wasPulled: boolean): boolean {
    const { policy, allowlist } = this.#verification;
    if (policy === "NeverVerifyPreloadedImages") return wasPulled;
    if (policy !== "NeverVerifyAllowlistedImages") return policy === "AlwaysVerify";
    const repository = repositoryOfImage(image);
    return !allowlist.some((allowed) =>
      allowed.endsWith("/*") ? repository.startsWith(allowed.slice(0, -1)) : repository === repositoryOfImage(allowed),
    );
  }

  /** Adds credentials to what is recorded; undefined adds none, and yet the image counts as pulled. */
  #merge(image: string, id: string, added: RecordedCredentials | undefined): void {
    const before = this.#record(id);
    if (before !== undefined && added === undefined) return;
    const repository = repositoryOfImage(image);
    const known = before?.credentialMapping[repository];
    const merged = added === undefined ? undefined : mergedCredentials(known, added);
    if (before !== undefined && JSON.stringify(merged) === JSON.stringify(known)) return;
    const mapping = Object.entries({ ...before?.credentialMapping, ...(merged === undefined ? {} : { [repository]: merged }) });
    this.#write("pulled", id, {
      kind: "ImagePulledRecord",
      apiVersion,
      lastUpdatedTime: formatTime(this.#files.nowMs),
      imageRef: id,
      credentialMapping: Object.fromEntries(mapping.sort(([a], [b]) => compareBytes(a, b))),
    });
  }

  #path(kind: "pulled" | "pulling", of: string): string {
    let digest = this.#digests.get(of);
    if (digest === undefined) {
      digest = digestOfText(of);
      this.#digests.set(of, digest);
    }
    return `${directory}/${kind}/sha256-${digest}`;
  }

  #record(id: string): PulledRecord | undefined {
    const record = this.#read(this.#path("pulled", id)) as PulledRecord | undefined;
    return record?.imageRef === id ? record : undefined;
  }

  /** Files of a directory that hold records. */
  #list(kind: "pulled" | "pulling"): readonly string[] {
    const folder = `${directory}/${kind}`;
    if (!this.#files.exists(folder)) return [];
    return this.#files.readdir(folder).flatMap((name) => (/^sha256-[0-9a-f]{64}$/u.test(name) ? [`${folder}/${name}`] : []));
  }

  /** Undefined for a file that is not there, or no JSON: then it counts as not there. */
  #read(path: string): unknown {
    const text = this.#files.textIfThere(path);
    if (text === undefined) return undefined;
    const known = this.#parsed.get(path);
    if (known?.text === text) return known.value;
    const value = jsonOf(text);
    this.#parsed.set(path, { text, value });
    return value;
  }

  #write(kind: "pulled" | "pulling", of: string, record: object): void {
    this.#files.makeDirectories(`${directory}/${kind}`);
    this.#files.writeFile(this.#path(kind, of), `${JSON.stringify(record)}\n`, { permissions: 0o600 });
  }
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** What came without credentials, or with those of the node, is for all of its Pods. */
function credentialsToRecord(used: TrackedCredentials | undefined): RecordedCredentials {
  if (used?.source === undefined) return { nodePodsAccessible: true };
  return { kubernetesSecrets: [recordedSecret(used, used.source)] };
}

function mergedCredentials(known: RecordedCredentials | undefined, added: RecordedCredentials): RecordedCredentials {
  if (known?.nodePodsAccessible === true) return known;
  if (known === undefined || added.nodePodsAccessible === true) return added;
  const secrets = new Map((known.kubernetesSecrets ?? []).map((secret) => [objectOf(secret), secret]));
  for (const secret of added.kubernetesSecrets ?? []) secrets.set(objectOf(secret), secret);
  return { kubernetesSecrets: [...secrets].sort(([a], [b]) => compareBytes(a, b)).map(([, secret]) => secret) };
}

function objectOf({ namespace, name, uid }: SecretSource): string {
  return `${uid}/${namespace}/${name}`;
}
