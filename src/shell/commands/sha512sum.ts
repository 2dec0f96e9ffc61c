import { sha512 } from "@noble/hashes/sha2.js";
import { sumCommand } from "../toolkit/checksums.ts";

export const sha512sum = sumCommand("sha512sum", sha512);
