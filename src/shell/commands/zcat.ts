import { make } from "../toolkit/gzip-command.ts";

export const zcat = make("zcat", ["d", "c"]);
