// Properties of characters are a large table, and what a cluster begins with is written in ASCII: the table comes with the tools.

import { Late } from "./late.ts";
import type * as unicode from "./unicode.ts";

export const lateUnicode = new Late<Pick<typeof unicode, "isOf" | "lowerCase" | "upperCase">>("unicode");
