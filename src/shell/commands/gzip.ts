import { gzipCommand } from "../toolkit/gzip-command.ts";

export const gzip = gzipCommand("gzip", []);
