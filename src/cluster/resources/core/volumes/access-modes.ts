// Access modes as tables show them: `RWO,ROX,RWX,RWOP`, in that order.

const shortForms = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

export function accessModesCell(modes: readonly string[] | undefined): string {
  return shortForms
    .filter(([mode]) => modes?.includes(mode) === true)
    .map(([, short]) => short)
    .join(",");
}
