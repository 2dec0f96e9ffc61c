import { gzipCommand } from "../toolkit/gzip-command.ts";

export const zcat = gzipCommand("zcat", ["d", "c"]);
