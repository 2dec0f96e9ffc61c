// --from-literal, --from-file and --from-env-file: the keys and values of ConfigMaps and Secrets.

import { configMapKeyReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Context } from "../../context.ts";
import { KubectlError } from "../../errors.ts";

/** How refusals are worded for the kind. */
export interface KeyWording {
  invalidKey(key: string, problems: readonly string[]): string;
  duplicateKey(key: string): string;
  readonly envFileIsDirectory: string;
}

/** All keys in the order: files, literals, env files. Throws KubectlError. */
export function keySources(
  context: Context,
  wording: KeyWording,
  files: readonly string[] = context.flags.list("from-file"),
): ReadonlyMap<string, Bytes> {
  const { flags } = context;
  const literals = flags.has("from-literal") ? flags.list("from-literal") : [];
  const envFiles = flags.has("from-env-file") ? flags.list("from-env-file") : [];
  if (envFiles.length > 0 && (files.length > 0 || literals.length > 0)) {
    throw new KubectlError("from-env-file cannot be combined with from-file or from-literal");
  }
  const found = new Map<string, Bytes>();
  const add = (key: string, value: Bytes): void => {
    const problems = configMapKeyReasons(key);
    if (problems.length > 0) throw new KubectlError(wording.invalidKey(key, problems));
    if (found.has(key)) throw new KubectlError(wording.duplicateKey(key));
    found.set(key, value);
  };
  for (const source of files) addFile(context, source, add);
  for (const literal of literals) {
    const equals = literal.indexOf("=");
    if (equals <= 0) throw new KubectlError(`invalid literal source ${literal}, expected key=value`);
    add(literal.slice(0, equals), encodeUtf8(unquoted(literal.slice(equals + 1))));
  }
  for (const path of envFiles) addEnvFile(context, path, wording, add);
  return found;
}

/** A value wholly within one pair of quotes loses them. */
function unquoted(value: string): string {
  const [first] = value;
  return value.length >= 2 && (first === '"' || first === "'") && value.endsWith(first) ? value.slice(1, -1) : value;
}

type Add = (key: string, value: Bytes) => void;

function addFile(context: Context, source: string, add: Add): void {
  const parts = source.split("=");
  if (parts.length > 2) throw new KubectlError("key names or file paths cannot contain '='");
  if (parts.length === 2 && parts[0] === "") throw new KubectlError(`key name for file path ${parts[1]} missing`);
  if (parts.length === 2 && parts[1] === "") throw new KubectlError(`file path for key name ${parts[0]} missing`);
  const path = (parts.length === 2 ? parts[1] : parts[0]) as string;
  const key = parts.length === 2 ? (parts[0] as string) : (path.split("/").at(-1) ?? path);
  const { self } = context;
  const isDirectory = reading(path, () => self.stat(path).type === "directory");
  if (!isDirectory) {
    add(
      key,
      reading(path, () => self.readFile(path)),
    );
    return;
  }
  if (parts.length === 2) throw new KubectlError("cannot give a key name for a directory path");
  for (const name of self.readdir(path)) {
    const inner = `${path.replace(/\/$/, "")}/${name}`;
    if (self.lstat(inner).type === "file")
      add(
        name,
        reading(inner, () => self.readFile(inner)),
      );
  }
}

const envKeyRule =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit " +
  "(e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";

function addEnvFile(context: Context, path: string, wording: KeyWording, add: Add): void {
  const { self } = context;
  if (reading(path, () => self.stat(path).type === "directory")) throw new KubectlError(wording.envFileIsDirectory);
  for (const line of self
    .readText(path)
    .split("\n")
    .map((text) => text.trimStart())) {
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    const key = equals < 0 ? line : line.slice(0, equals);
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key))
      throw new KubectlError(`${JSON.stringify(key)} is not a valid key name: ${envKeyRule}`);
    if (equals >= 0) add(key, encodeUtf8(line.slice(equals + 1)));
    else if (self.env.has(key)) add(key, encodeUtf8(self.env.get(key) as string));
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`error reading ${path}: ${asciiLowerCase(error.message)}`);
  }
}
