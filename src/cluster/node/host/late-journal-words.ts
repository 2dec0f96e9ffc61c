// Lines of a node's journal are put into words when somebody reads them, which programs of the machine do: the words come with those.

import { Late } from "#sim/late.ts";
import type * as code from "./journal-word-code.ts";

export const lateJournalWords = new Late<typeof code>("journal-words");
