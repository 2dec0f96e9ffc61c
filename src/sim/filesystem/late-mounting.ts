// mount(2) and what follows from it, which few worlds ever need.

import { Late } from "../late.ts";
import type * as code from "./mounting.ts";

export const lateMounting = new Late<typeof code>("mounting");
