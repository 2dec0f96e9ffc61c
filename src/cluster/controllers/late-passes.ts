// What controllers do with objects that no cluster begins with, with Pods that are too many, and with namespaces and ranges that go: it
// comes with clients' programs, which bring the first of them.

import { Late } from "#sim/late.ts";
import type * as code from "./pass-code.ts";

export const latePasses = new Late<typeof code>("passes");
