// `node src/server/protobuf/generate/main.ts FOLDER…`: reads the generated.proto files below the folders (k8s.io/api,
// apimachinery, apiextensions-apiserver and kube-aggregator of the simulated release) and writes the numbers of the
// fields of all types that the cluster knows to ../field-numbers.ts. What it cannot place it names and leaves out.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { definitionName } from "#cluster/api/openapi/packages.ts";
import { type Fields, fieldsOf, typeNames } from "#cluster/api/schema.ts";
import { type ProtoField, type ProtoMessage, parseProto } from "./proto.ts";

const messages = new Map<string, ProtoMessage>();
for (const folder of process.argv.slice(2)) {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith("generated.proto")) continue;
    for (const message of parseProto(readFileSync(join(folder, path), "utf8"))) messages.set(message.name, message);
  }
}

/** The name that JSON gives a field of a message: it differs in case, or for JSON schemas in its first letters. */
function jsonName(known: Fields, protoName: string): string | undefined {
  if (known.has(protoName)) return protoName;
  const dashed = protoName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (known.has(dashed)) return dashed;
  if (known.has(`$${protoName}`)) return `$${protoName}`;
  for (const name of known.keys()) if (name.toLowerCase() === protoName.toLowerCase()) return name;
  return undefined;
}

const lines: string[] = [];
const missing: string[] = [];

/** Numbers rise by one unless a number stands before the name. */
function numbered(entries: readonly { readonly number: number; readonly text: string }[]): string {
  let expected = 1;
  const words: string[] = [];
  for (const { number, text } of [...entries].sort((a, b) => a.number - b.number)) {
    if (number !== expected) words.push(String(number));
    words.push(text);
    expected = number + 1;
  }
  return words.join(" ");
}

/** Fields of a message; `name(…)` is a struct that JSON writes into its owner, with that struct's fields in the brackets. */
function layout(typeName: string, message: ProtoMessage): string {
  const known = fieldsOf(typeName);
  const entries = message.fields.flatMap((field) => {
    const name = jsonName(known, field.name);
    if (name !== undefined) {
      const isWrapped = field.label === "optional" && known.get(name)?.type.kind === "list";
      return [{ number: field.number, text: isWrapped ? `${name}*` : name }];
    }
    const inner = messages.get(referred(message, field));
    if (field.label === "optional" && inner !== undefined) {
      return [{ number: field.number, text: `(${layout(typeName, inner)})` }];
    }
    missing.push(`${typeName}: ${message.name}.${field.name} ${field.type}`);
    return [];
  });
  return numbered(entries);
}

function referred(message: ProtoMessage, field: ProtoField): string {
  return field.type.startsWith(".") ? field.type.slice(1) : `${message.name.slice(0, message.name.lastIndexOf("."))}.${field.type}`;
}

const absent: string[] = [];
for (const typeName of typeNames()) {
  const goName = definitionName(typeName)
    .replace("io.k8s.", "k8s.io.")
    .replace("k8s.io.apiextensions-apiserver", "k8s.io.apiextensions_apiserver")
    .replace("k8s.io.kube-aggregator", "k8s.io.kube_aggregator");
  const message = messages.get(goName);
  if (message === undefined) absent.push(`${typeName} (${goName})`);
  else lines.push(`${typeName} ${layout(typeName, message)}`.trimEnd());
}

const header = `// Made by generate/main.ts out of the generated.proto files of Kubernetes v0.36.3: facts, not to be edited.
// A line a type: the names of its fields in the order of their numbers, from 1 up; a number before a name is that name's.
// Brackets hold the fields of a struct that JSON writes into its owner; a star marks a list that travels in a message of its own.

export const fieldNumbers = \`
`;
writeFileSync(new URL("../field-numbers.ts", import.meta.url), `${header}${lines.join("\n")}\n\`;\n`);
console.log(`${lines.length} types; without a message: ${absent.join(", ") || "none"}; fields left out:\n${missing.join("\n")}`);
