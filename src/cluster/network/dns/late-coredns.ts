// CoreDNS's words, and Corefiles other than kubeadm's: they come with the programs of people.

import { Late } from "#sim/late.ts";
import type * as code from "./coredns-code.ts";

export const lateCoreDns = new Late<typeof code>("coredns");
