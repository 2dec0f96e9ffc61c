// Bytes as hexdump and xxd show them.

import type { Bytes } from "#sim/bytes.ts";

export const hex2 = (value: number) => value.toString(16).padStart(2, "0");

export const visibleText = (bytes: Bytes) =>
  [...bytes].map((value) => (value >= 32 && value < 127 ? String.fromCharCode(value) : ".")).join("");
