import { make } from "../toolkit/gzip-command.ts";

export const gunzip = make("gunzip", ["d"]);
