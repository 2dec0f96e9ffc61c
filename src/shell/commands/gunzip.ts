import { gzipCommand } from "../toolkit/gzip-command.ts";

export const gunzip = gzipCommand("gunzip", ["d"]);
