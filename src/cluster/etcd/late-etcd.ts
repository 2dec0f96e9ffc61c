// What etcd answers its clients and logs, and those clients' programs: nobody asks before somebody types.

import { Late } from "#sim/late.ts";
import type * as code from "./etcd-code.ts";

export const lateEtcd = new Late<typeof code>("etcd");
