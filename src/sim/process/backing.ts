// What the world may really hold. Simulated machines may have more memory and disk than the computer that simulates them: what
// repeats is kept once (`zeros`), and the rest of what programs hold and files contain draws on one store for the whole world.

import type { Bytes } from "../bytes.ts";

export interface Backing {
  limitBytes: number;
  usedBytes: number;
}

export interface WorldBacking {
  /** Of processes: when it is used up, the one that takes most of it is killed as if its machine had run out of memory. */
  readonly memory: Backing;
  /** Of files: when it is used up, disks are full. */
  readonly files: Backing;
}

const mebibyte = 1024 ** 2;

const leastFileBytes = 256 * mebibyte;
/** A Pod leaves some 5 KB behind: that of 110, and as much again. */
const fileBytesPerMachine = mebibyte;

export function worldBacking(): WorldBacking {
  return { memory: { limitBytes: 64 * mebibyte, usedBytes: 0 }, files: { limitBytes: leastFileBytes, usedBytes: 0 } };
}

/** A world of thousands of machines is made where there is memory for them. */
export function roomForFiles({ files }: WorldBacking, machines: number): void {
  files.limitBytes = Math.max(leastFileBytes, machines * fileBytesPerMachine);
}

/** Nobody writes to what a read gave; so all zeros that are read are these. */
const zeroBytes: Bytes = new Uint8Array(mebibyte);

/** At most a mebibyte of zeros, shared by all who hold them. */
export function zeros(length: number): Bytes {
  return zeroBytes.subarray(0, length);
}

/** Whether bytes are a piece of the zeros that `zeros` gives: holding them costs nothing. */
export function areSharedZeros(bytes: Bytes): boolean {
  return bytes.buffer === zeroBytes.buffer;
}
