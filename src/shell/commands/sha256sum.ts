import { sha256 } from "@noble/hashes/sha2.js";
import { sumCommand } from "../toolkit/checksums.ts";

export const sha256sum = sumCommand("sha256sum", sha256);
