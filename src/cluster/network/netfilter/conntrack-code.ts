// All that `late-conntrack.ts` stands for.

export { datagramPorts } from "../datagram-wires.ts";
export { echo } from "../echo.ts";
export { clearStaleFlows } from "../proxy/stale-flows.ts";
export { Conntrack } from "./conntrack.ts";
