// What a Pod says of its own DNS, and what of it is too much: few Pods do.

import { Late } from "#sim/late.ts";
import type * as code from "./volumes/pod-dns.ts";

export const latePodDns = new Late<typeof code>("pod-dns");
