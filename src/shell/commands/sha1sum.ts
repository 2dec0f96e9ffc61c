import { sha1 } from "@noble/hashes/legacy.js";
import { sumCommand } from "../toolkit/checksums.ts";

export const sha1sum = sumCommand("sha1sum", sha1);
