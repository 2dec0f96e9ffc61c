import { md5 } from "@noble/hashes/legacy.js";
import { sumCommand } from "../toolkit/checksums.ts";

export const md5sum = sumCommand("md5sum", md5);
