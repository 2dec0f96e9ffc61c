// The boot loader: few machines are booted anew, or looked at in /boot.

import { Late } from "#sim/late.ts";
import type * as code from "./grub.ts";

export const lateGrub = new Late<typeof code>("grub");
