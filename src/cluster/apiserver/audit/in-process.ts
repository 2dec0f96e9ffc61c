// What a request from within the process would look like on the wire: its URI, its client's name and place.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import type { AuditedOptions } from "../audit-sink.ts";
import { versionInfo } from "../http/version.ts";
import type { ResourceRequest } from "../resource-request.ts";

const nodeUser = "system:node:";
const accountUser = "system:serviceaccount:";
/** The server's own clients, which go through its loopback. */
const loopback = "::1";

/** As client-go writes it: the query in the order of its keys. */
export function uriOf(verb: string, request: ResourceRequest, options: AuditedOptions): string {
  const { definition, namespace, name, subresource } = request;
  const groupVersion = groupVersionOf(definition);
  const parts = [definition.group === "" ? `/api/${groupVersion}` : `/apis/${groupVersion}`];
  if (definition.namespaced && namespace !== "") parts.push("namespaces", namespace);
  parts.push(definition.plural);
  if (name !== "") parts.push(name);
  if (subresource !== "") parts.push(subresource);
  const query = Object.entries(queryOf(verb, request, options)).filter(([, value]) => value !== "");
  const text = query.map(([key, value]) => `${key}=${escaped(value)}`).join("&");
  return text === "" ? parts.join("/") : `${parts.join("/")}?${text}`;
}

/** In the order of the keys. */
function queryOf(verb: string, request: ResourceRequest, options: AuditedOptions): { readonly [key: string]: string } {
  const { dryRun, fieldManager, userAgent } = request;
  const isWatch = verb === "watch";
  const writes = verb === "create" || verb === "update" || verb === "patch";
  return {
    allowWatchBookmarks: isWatch && options.allowBookmarks === true ? "true" : "",
    continue: options.continue ?? "",
    dryRun: writes && dryRun ? "All" : "",
    fieldManager: writes && fieldManager !== programOf(userAgent) ? fieldManager : "",
    fieldSelector: options.fieldSelector ?? "",
    labelSelector: options.labelSelector ?? "",
    limit: (options.limit ?? 0) > 0 ? String(options.limit) : "",
    resourceVersion: options.resourceVersion ?? "",
    resourceVersionMatch: options.resourceVersionMatch ?? "",
    sendInitialEvents: options.sendInitialEvents === true ? "true" : "",
    watch: isWatch ? "true" : "",
  };
}

/** Go's url.QueryEscape. */
function escaped(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${asciiUpperCase(character.charCodeAt(0).toString(16))}`)
    .replaceAll("%20", "+");
}

function programOf(userAgent: string): string {
  return userAgent.split("/", 1)[0] ?? "";
}

/** Programs that are built with the release's version; others on client-go name none. */
const ofRelease = /^(?:kube-.*|kubelet|kubeadm)$/;

/** `kube-scheduler/v1.36.0 (linux/amd64) kubernetes/0000000/scheduler`, of `kube-scheduler/scheduler`. */
export function userAgentOf({ userAgent, user }: ResourceRequest): string {
  const client = programOf(userAgent);
  const part = userAgent.slice(client.length);
  // It is a part of the server.
  const program = client === "kube-aggregator" ? "kube-apiserver" : client;
  const { gitVersion, gitCommit, platform } = versionInfo;
  const [version, commit] = ofRelease.test(program) ? [gitVersion, gitCommit.slice(0, 7)] : ["v0.0.0", "$Format"];
  const isAccount = part !== "" && user.name.startsWith(accountUser);
  return `${program}/${version} (${platform}) kubernetes/${commit}${isAccount ? `/${user.name}` : part}`;
}

/** Where clients in process are, and what the store knows of them. */
export class ProcessClients {
  readonly #store: Store;
  /** Of the server's machine. */
  readonly #ownAddress: string;

  constructor(store: Store, ownAddress: string) {
    this.#store = store;
    this.#ownAddress = ownAddress;
  }

  /** Its components are on the server's machine, but for kubelets and what runs in Pods. */
  addressOf({ user, userAgent, clientAddress }: Pick<ResourceRequest, "user" | "userAgent" | "clientAddress">): string {
    if (clientAddress !== undefined) return clientAddress;
    const { name } = user;
    if (name === "system:apiserver") return loopback;
    if (name.startsWith(nodeUser)) return this.#nodeAddress(name.slice(nodeUser.length)) ?? this.#ownAddress;
    if (name.startsWith(accountUser) && !userAgent.startsWith("kube-")) return this.#podAddress(name) ?? this.#ownAddress;
    return this.#ownAddress;
  }

  /** A service account's token tells its uid. */
  identityOf(user: UserInfo): UserInfo {
    if (user.uid !== undefined || !user.name.startsWith(accountUser)) return user;
    const uid = this.#store.table("serviceaccounts").get(accountKey(user.name))?.metadata.uid;
    return uid === undefined ? user : { ...user, uid };
  }

  #nodeAddress(name: string): string | undefined {
    const status = this.#store.table("nodes").get(name)?.["status"] as Node["status"];
    return status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
  }

  #podAddress(userName: string): string | undefined {
    const [namespace = "", account = ""] = accountKey(userName).split("/");
    for (const pod of this.#store.table("pods").list(namespace)) {
      const { spec, status } = pod as Pod;
      if (spec?.serviceAccountName === account && status?.podIP) return status.podIP;
    }
    return undefined;
  }
}

/** `kube-system/coredns` */
function accountKey(userName: string): string {
  return userName.slice(accountUser.length).replace(":", "/");
}
