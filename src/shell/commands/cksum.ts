import { type Bytes, concatBytes } from "#sim/bytes.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 0x8000_0000) === 0 ? value << 1 : (value << 1) ^ 0x04c1_1db7;
  return value;
});

/** POSIX's: the bytes, then their number, from its lowest byte. */
function checksum(bytes: Bytes): number {
  let crc = 0;
  const take = (byte: number): void => {
    crc = (crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 255] as number);
  };
  for (const byte of bytes) take(byte);
  for (let rest = bytes.length; rest > 0; rest = Math.floor(rest / 256)) take(rest & 255);
  return ~crc >>> 0;
}

export const cksum: CommandDefinition = {
  name: "cksum",
  options: "a,algorithm= c,check l,length= z,zero raw base64 tag untagged",
  unsupported: "a c l z raw base64 tag untagged",
  usage: "cksum FILE...\n\nCalculate CRC32 checksum of FILEs",
  *run(tool) {
    yield* tool.eachInput(tool.operands, function* (path, fd) {
      const parts: Bytes[] = [];
      for (let bytes = yield* tool.self.read(fd); bytes.length > 0; bytes = yield* tool.self.read(fd)) parts.push(bytes);
      const all = concatBytes(parts);
      yield* tool.print(`${checksum(all)} ${all.length}${path === "-" && tool.operands.length === 0 ? "" : ` ${path}`}\n`);
    });
    return 0;
  },
};
