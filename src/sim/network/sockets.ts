// The sockets of a network namespace as a process of it sees them: what /proc/net/tcp and /proc/<pid>/fd tell together.

import { compareTexts } from "../compare-texts.ts";
import type { Endpoint, Listening, SocketInfo } from "../net.ts";
import type { KernelProcess } from "../process/process.ts";
import { DatagramFile } from "./datagrams.ts";
import { ListenFile, NetworkFile, SocketFile } from "./socket.ts";

type Owner = SocketInfo["owners"][number];

const anyone = "0.0.0.0";

/** Every file of a socket in the namespace, with those who have it and may be seen having it. */
function filesOf(viewer: KernelProcess): ReadonlyMap<NetworkFile, Owner[]> {
  const { pidNamespace } = viewer;
  const files = new Map<NetworkFile, Owner[]>();
  for (const process of (pidNamespace.parent ?? pidNamespace).all()) {
    if (process.network !== viewer.network) continue;
    const isSeen = process.pidNamespace === pidNamespace || pidNamespace.parent === undefined;
    const mayLook = isSeen && (viewer.uid === 0 || viewer.uid === process.uid);
    for (const fd of process.table.numbers()) {
      const file = process.table.get(fd);
      if (!(file instanceof NetworkFile)) continue;
      const owners = files.get(file) ?? [];
      files.set(file, owners);
      if (mayLook) owners.push({ pid: pidNamespace.pidOf(process), fd });
    }
  }
  return files;
}

/** Whatever rules did to the addresses on the way, who calls has its own and the one that it asked for. */
function ownView({ network }: KernelProcess, { stream, asked }: SocketFile): { readonly local: Endpoint; readonly peer: Endpoint } {
  if (asked === undefined) return stream;
  const own = network.addresses;
  const isHere = own.includes(asked.address) || asked.address.startsWith("127.");
  const address = isHere ? asked.address : (own.at(-1) as string);
  return { local: { address, port: stream.local.port }, peer: { address: asked.address, port: asked.port } };
}

function waitingIn(file: NetworkFile | undefined): number {
  if (file instanceof DatagramFile) return file.receivedBytes;
  return file instanceof ListenFile ? file.waiting.length : 0;
}

export function socketsOf(viewer: KernelProcess): readonly SocketInfo[] {
  const files = filesOf(viewer);
  const listening = viewer.network.listening;
  const servers = new Map<Listening, readonly [NetworkFile, readonly Owner[]]>();
  for (const [file, owners] of files) if (file.listening !== undefined) servers.set(file.listening, [file, owners]);
  const served = (protocol: "tcp" | "udp"): SocketInfo[] =>
    listening[protocol].map((service) => {
      const [file, owners = []] = servers.get(service) ?? [];
      return {
        protocol,
        state: protocol === "tcp" ? "LISTEN" : "UNCONN",
        local: { address: service.address ?? anyone, port: service.port },
        peer: undefined,
        waiting: waitingIn(file),
        owners,
      };
    });
  const sockets = [...served("tcp"), ...served("udp")].sort(
    (a, b) => compareTexts(a.protocol, b.protocol) || a.local.port - b.local.port,
  );
  for (const [file, owners] of files) {
    if (file instanceof SocketFile) {
      const { local, peer } = ownView(viewer, file);
      const state = file.ended ? "CLOSE_WAIT" : "ESTABLISHED";
      sockets.push({ protocol: "tcp", state, local, peer, waiting: file.receivedBytes, owners });
    } else if (file instanceof DatagramFile) {
      const { local, peer, receivedBytes: waiting } = file;
      if (peer !== undefined) sockets.push({ protocol: "udp", state: "ESTABLISHED", local, peer, waiting, owners });
    } else if (file instanceof ListenFile) {
      for (const { local, peer } of file.waiting)
        sockets.push({ protocol: "tcp", state: "ESTABLISHED", local, peer, waiting: 0, owners: [] });
    }
  }
  return sockets;
}
