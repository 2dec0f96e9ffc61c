// One member's answers to its clients, in the JSON form of its API (etcd's gRPC gateway, /v3/…): whoever shows a certificate of etcd's own
// authority may do everything.

import type { ApiServer } from "#cluster/apiserver/server.ts";
import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { Keyspace, NotSimulated, rangeOf, wireKey } from "./keyspace.ts";
import { clusterId, type Member, memberId } from "./members.ts";
import { snapshotOf } from "./snapshot.ts";
import { etcdVersion, storageVersion } from "./versions.ts";
import { streamWatch } from "./watch.ts";

/** A member as those that ask it see it. */
export interface EtcdServer {
  readonly self: Process;
  readonly server: Pick<ApiServer, "store" | "registry">;
  readonly member: Member;
  /** All of the cluster, this one included. */
  readonly members: () => readonly Member[];
  /** Whether most of the members are there. */
  readonly hasLeader: () => boolean;
  /** `--trusted-ca-file` */
  readonly authorityFile: string;
}

/** Keys and values are base64 in JSON; numbers of 64 bits may be texts. */
interface RangeRequest {
  readonly key?: string;
  readonly range_end?: string;
  readonly limit?: string | number;
  readonly revision?: string | number;
  readonly keys_only?: boolean;
  readonly count_only?: boolean;
  readonly prev_kv?: boolean;
  readonly value?: string;
}

const json = { "content-type": "application/json" };
/** Of etcd's errors in gRPC. */
const codes = { invalidArgument: 3, outOfRange: 11, unimplemented: 12, unavailable: 14 } as const;

class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function answer(etcd: EtcdServer, ...[request, peer, responder]: Parameters<HttpHandler>): void {
  if (!isKnown(etcd, peer)) {
    if ("hangUp" in responder && typeof responder.hangUp === "function") responder.hangUp();
    return;
  }
  try {
    route(etcd, request, responder);
  } catch (error) {
    const refusal =
      error instanceof NotSimulated ? new Refusal(501, codes.unimplemented, `${error.message}: not simulated`) : error;
    if (!(refusal instanceof Refusal)) throw error;
    reply(responder, refusal.status, { code: refusal.code, message: refusal.message });
  }
}

/** etcd asks for a certificate during the handshake (--client-cert-auth). */
function isKnown({ self, authorityFile }: EtcdServer, { certificate }: HttpPeer): boolean {
  try {
    const authorities = readCertificates(self.readText(authorityFile));
    return authorities.some((authority) => certificate?.isSignedBy?.(authority) === true);
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}

function route(etcd: EtcdServer, request: HttpRequest, responder: HttpResponder): void {
  const path = request.target.replace(/\?.*/s, "");
  if (path === "/version") reply(responder, 200, { etcdserver: etcdVersion, etcdcluster: storageVersion, storage: storageVersion });
  else if (path === "/health") reply(responder, etcd.hasLeader() ? 200 : 503, { health: String(etcd.hasLeader()), reason: "" });
  else if (path === "/v3/maintenance/status") reply(responder, 200, status(etcd));
  else if (path === "/v3/cluster/member/list") reply(responder, 200, { header: header(etcd), members: memberList(etcd) });
  else if (path.startsWith("/v3/")) serveKeys(etcd, path, request, responder);
  else responder.reply(404, { "content-type": "text/plain; charset=utf-8" }, encodeUtf8("404 page not found\n"));
}

function serveKeys(etcd: EtcdServer, path: string, request: HttpRequest, responder: HttpResponder): void {
  if (!etcd.hasLeader()) throw new Refusal(503, codes.unavailable, "etcdserver: no leader");
  const body = bodyOf(request);
  const { store, registry } = etcd.server;
  const keys = new Keyspace(store, registry);
  if (path === "/v3/kv/range") reply(responder, 200, range(etcd, keys, body));
  else if (path === "/v3/kv/put") {
    keys.put(rangeOf(body).first, decodeBase64(body.value ?? "").bytes);
    reply(responder, 200, { header: header(etcd) });
  } else if (path === "/v3/kv/deleterange") {
    const gone = keys.within(rangeOf(body));
    const prevKvs = body.prev_kv === true ? { prev_kvs: gone.map((each) => wireKey(each, false)) } : {};
    for (const each of gone) each.remove();
    reply(responder, 200, { header: header(etcd), deleted: String(gone.length), ...prevKvs });
  } else if (path === "/v3/watch") streamWatch({ store, keys, header: () => header(etcd) }, body, responder);
  else if (path === "/v3/maintenance/snapshot") responder.reply(200, json, snapshotOf(store));
  else throw new NotSimulated(path);
}

function bodyOf({ body }: HttpRequest): RangeRequest & { readonly create_request?: RangeRequest } {
  if (body.length === 0) return {};
  try {
    return JSON.parse(decodeUtf8(body)) as RangeRequest;
  } catch {
    throw new Refusal(400, codes.invalidArgument, "invalid JSON");
  }
}

function range(etcd: EtcdServer, keys: Keyspace, request: RangeRequest): object {
  const revision = Number(request.revision ?? 0);
  if (revision > keys.revision)
    throw new Refusal(400, codes.outOfRange, "etcdserver: mvcc: required revision is a future revision");
  if (revision > 0 && revision < keys.revision) throw new NotSimulated("reads of the past");
  const asked = rangeOf(request);
  if (asked.first === "") throw new Refusal(400, codes.invalidArgument, "etcdserver: key is not provided");
  const found = keys.within(asked);
  const count = { count: String(found.length) };
  if (request.count_only === true) return { header: header(etcd), ...count };
  const limit = Number(request.limit ?? 0);
  const given = limit > 0 ? found.slice(0, limit) : found;
  const more = given.length < found.length ? { more: true } : {};
  return { header: header(etcd), kvs: given.map((each) => wireKey(each, request.keys_only === true)), ...more, ...count };
}

function header({ server, member, members }: EtcdServer): object {
  return {
    cluster_id: clusterId(members()),
    member_id: memberId(member),
    revision: String(server.store.revision),
    raft_term: "2",
  };
}

/** Sizes follow from what is stored: a database of its values, a third of it free. */
function status(etcd: EtcdServer): object {
  const { server, members, hasLeader } = etcd;
  const bytes = 4096 * Math.ceil((snapshotOf(server.store).length * 1.5) / 4096);
  const leader = hasLeader() ? memberId(members()[0] as Member) : "0";
  const raft = String(server.store.revision + 8);
  return {
    header: header(etcd),
    version: etcdVersion,
    dbSize: String(bytes),
    leader,
    raftIndex: raft,
    raftTerm: "2",
    raftAppliedIndex: raft,
    dbSizeInUse: String(4096 * Math.ceil(bytes / 4096 / 1.5)),
    storageVersion,
    dbSizeQuota: "2147483648",
    ...(hasLeader() ? {} : { errors: ["etcdserver: no leader"] }),
  };
}

function memberList({ members }: EtcdServer): readonly object[] {
  return members().map((member) => ({
    ID: memberId(member),
    name: member.name,
    peerURLs: [`https://${member.address}:2380`],
    clientURLs: [`https://${member.address}:2379`],
  }));
}

function reply(responder: HttpResponder, code: number, value: object): void {
  responder.reply(code, json, encodeUtf8(JSON.stringify(value)));
}
