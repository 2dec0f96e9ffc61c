// Names and addresses, for the programs that ask the resolver.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";

/** The first name server of /etc/resolv.conf. */
export function nameServer(self: Process): string {
  try {
    return /^nameserver\s+(\S+)/mu.exec(self.readText("/etc/resolv.conf"))?.[1] ?? "127.0.0.1";
  } catch (error) {
    if (error instanceof SysError) return "127.0.0.1";
    throw error;
  }
}

type Answer = { readonly addresses: readonly string[] } | "unreachable";

/** The addresses of a name (none: there is no such name), or that nobody answered. */
export function* askName(self: Process, name: string): Sys<Answer> {
  try {
    return { addresses: yield* self.resolve(name) };
  } catch (error) {
    if (error instanceof SysError && error.code === "EAGAIN") return "unreachable";
    throw error;
  }
}

/** The name that the search list of /etc/resolv.conf makes of another, as the answer carries it. */
export function* fullName(self: Process, name: string): Sys<string> {
  if (name.endsWith(".")) return name.slice(0, -1);
  let text: string;
  try {
    text = self.readText("/etc/resolv.conf");
  } catch (error) {
    if (error instanceof SysError) return name;
    throw error;
  }
  const suffixes = (/^search[ \t]+(.+)$/mu.exec(text)?.[1] ?? "").split(/\s+/u).filter((suffix) => suffix !== "");
  const dots = Number(/\bndots:(\d+)/u.exec(text)?.[1] ?? 1);
  if (name.split(".").length - 1 >= dots) return name;
  for (const suffix of suffixes) {
    const answer = yield* askName(self, `${name}.${suffix}.`);
    if (answer !== "unreachable" && answer.addresses.length > 0) return `${name}.${suffix}`;
  }
  return name;
}
