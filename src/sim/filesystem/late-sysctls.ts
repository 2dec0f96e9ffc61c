// Kernel parameters: few programs look at them.

import { Late } from "../late.ts";
import type * as code from "./sysctls.ts";

export const lateSysctls = new Late<typeof code>("sysctls");
