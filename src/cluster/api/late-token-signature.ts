// The cryptography of tokens: nobody looks at one before clients' programs are there.

import { Late } from "#sim/late.ts";
import type * as code from "./token-signature.ts";

export const lateTokenSignature = new Late<typeof code>("token-signature");
