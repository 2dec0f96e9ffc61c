import { humanSize } from "../toolkit/human-size.ts";
import { mountOf } from "../toolkit/mount-of.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

type Mounts = ReturnType<Tool["self"]["mounts"]>;

/** Those with a size, as df lists them without operands; of several mounts of one device the first. */
function sizedMounts(mounts: Mounts): Mounts {
  const seen = new Set<string>();
  return mounts.filter(({ source, type, path, sizeBytes }) => {
    if (sizeBytes === undefined || (type !== "tmpfs" && seen.has(source))) return false;
    seen.add(source);
    return mounts.findLast((each) => each.path === path)?.source === source;
  });
}

export const df: CommandDefinition = {
  name: "df",
  options: "h,human-readable k m T,print-type i,inodes a,all t= x= P H total",
  usage: "df [-PkmhTi] [FILESYSTEM]...",
  *run(tool) {
    const { self } = tool;
    const mounts = self.mounts();
    const wanted: Mounts[number][] = [];
    if (tool.operands.length === 0) wanted.push(...sizedMounts(mounts));
    yield* tool.eachOperand(tool.operands, function* (path) {
      const mount = mountOf(self, path);
      if (mount !== undefined) wanted.push(mount);
    });
    if (wanted.length === 0) return 1;
    const isInodes = tool.has("i");
    const unit = tool.has("m") ? 1_048_576 : 1024;
    const shown = (amount: number) => {
      if (tool.has("h")) return amount === 0 ? "0" : humanSize(amount);
      return String(isInodes ? amount : Math.ceil(amount / unit));
    };
    const rows = wanted.map(({ source, type, path, sizeBytes, availableBytes, inodes, freeInodes }) => {
      const [size, free] = isInodes ? [inodes ?? 0, inodes === undefined ? 0 : freeInodes] : [sizeBytes ?? 0, availableBytes];
      const available = sizeBytes === undefined ? 0 : free;
      const used = size - available;
      const percent = size === 0 ? "-" : `${Math.ceil((used / size) * 100)}%`;
      return [source, ...(tool.has("T") ? [type] : []), shown(size), shown(used), shown(available), percent, path];
    });
    let sizeTitle = "1K-blocks";
    if (tool.has("h")) sizeTitle = "Size";
    else if (tool.has("m")) sizeTitle = "1M-blocks";
    const availableTitle = tool.has("h") && tool.gnu ? "Avail" : "Available";
    const figures = isInodes ? ["Inodes", "IUsed", "IFree", "IUse%"] : [sizeTitle, "Used", availableTitle, "Use%"];
    const titles = ["Filesystem", ...(tool.has("T") ? ["Type"] : []), ...figures, "Mounted on"];
    const all = [titles, ...rows];
    const nameWidth = tool.gnu ? 14 : 20;
    const widths = titles.map((_title, index) =>
      Math.max(...all.map((row) => (row[index] as string).length), index === 0 ? nameWidth : 5),
    );
    for (const row of all) {
      const left = tool.has("T") ? 2 : 1;
      const cells = row.map((cell, index) => {
        if (index < left) return cell.padEnd(widths[index] as number);
        return index === row.length - 1 ? cell : cell.padStart(index === row.length - 2 ? 4 : (widths[index] as number));
      });
      yield* tool.print(`${cells.join(" ")}\n`);
    }
    return 0;
  },
};
