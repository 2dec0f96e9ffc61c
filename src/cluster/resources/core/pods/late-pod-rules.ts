// What may be changed in a Pod, what its maker is warned of, how refused values are shown, and rules of Pods for Windows and of storage
// that no component asks for, and what is said of pairs of keys. Controllers make Pods and report on them; only clients' programs, and
// controllers on account of what those brought, change or spoil one, so it comes with them.

import { Late } from "#sim/late.ts";
import type * as code from "./pod-rule-code.ts";

export const latePodRules = new Late<typeof code>("pod-rules");
