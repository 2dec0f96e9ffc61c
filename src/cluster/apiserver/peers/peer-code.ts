// All that `late-peers.ts` stands for.

export { peerSettings } from "./peer-flags.ts";
export { usePeers } from "./peer-proxy.ts";
