import { make } from "../toolkit/gzip-command.ts";

export const gzip = make("gzip", []);
