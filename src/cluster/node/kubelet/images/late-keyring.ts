// Reading registry credentials, and which of them fit: no cluster begins with any.

import { Late } from "#sim/late.ts";
import type * as code from "./keyring-code.ts";

export const lateKeyring = new Late<typeof code>("keyring");
