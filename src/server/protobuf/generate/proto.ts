// Reads the little of the protobuf language that generated.proto files use: flat messages of optional, repeated and map
// fields.

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly label: "optional" | "repeated" | "map";
  /** As written: `string`, `Container`, `.k8s.io.api.core.v1.Container`; of a map the type of its values. */
  readonly type: string;
}

export interface ProtoMessage {
  /** With its package: `k8s.io.api.core.v1.Pod`. */
  readonly name: string;
  readonly fields: readonly ProtoField[];
}

export function parseProto(text: string): readonly ProtoMessage[] {
  const packageName = /^package ([\w.]+);/m.exec(text)?.[1] ?? "";
  const result: ProtoMessage[] = [];
  let fields: ProtoField[] = [];
  for (const line of text.split("\n")) {
    const start = /^message (\w+) \{/.exec(line);
    if (start !== null) {
      fields = [];
      result.push({ name: `${packageName}.${start[1]}`, fields });
      continue;
    }
    const field = /^\s+(?:(optional|repeated) ([\w.]+)|map<\w+, *([\w.]+)>) (\w+) = (\d+);/.exec(line);
    if (field === null) continue;
    const [, label, type, valueType, name = "", number] = field;
    fields.push({
      name,
      number: Number(number),
      label: label === undefined ? "map" : (label as "optional" | "repeated"),
      type: type ?? valueType ?? "",
    });
  }
  return result;
}
