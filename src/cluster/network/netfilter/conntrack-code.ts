export { clearStaleFlows } from "../proxy/stale-flows.ts";
export { Conntrack } from "./conntrack.ts";
