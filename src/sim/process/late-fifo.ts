// Named pipes, which only programs make.

import { Late } from "../late.ts";
import type * as code from "./fifo.ts";

export const lateFifo = new Late<typeof code>("fifo");
