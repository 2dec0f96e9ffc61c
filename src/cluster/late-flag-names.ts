// A cluster begins with command lines as kubeadm writes them, which are right: all the names are needed once somebody writes another.

import { Late } from "#sim/late.ts";
import type * as code from "./flag-name-code.ts";

export const lateFlagNames = new Late<typeof code>("flag-names");
