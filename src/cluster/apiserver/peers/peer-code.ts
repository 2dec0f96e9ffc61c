// All that `late-peers.ts` stands for.

export { peerSettings } from "./peer-flags.ts";
export { PeerProxy } from "./peer-proxy.ts";
