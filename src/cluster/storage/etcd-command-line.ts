// The command line of etcd. Names of all of its flags are known, so that a wrong one is refused; of them, --listen-client-urls acts.

import { flagValues, type GivenFlags, UnknownFlag, WrongCommandLine, words } from "../component-flags.ts";
import { lateFlagNames } from "../late-flag-names.ts";

export interface EtcdFlags {
  readonly given: GivenFlags;
  /** `https://127.0.0.1:2379` */
  readonly clientUrls: readonly string[];
}

export const actingEtcdFlags: readonly string[] = ["data-dir", "listen-client-urls", "cert-file", "trusted-ca-file"];

/** Files without which etcd does not start. */
export const etcdFiles: readonly string[] = words(`
  cert-file key-file trusted-ca-file peer-cert-file peer-key-file peer-trusted-ca-file`);

/** `argv` with the program's name first; `usual` words are right. Throws WrongCommandLine in the words of Go's package flag. */
export function etcdFlags(argv: readonly string[], usual: ReadonlySet<string>): EtcdFlags {
  try {
    const given = flagValues(argv, () => [lateFlagNames.code.ownEtcdFlags], usual);
    return { given, clientUrls: (given.get("listen-client-urls")?.at(-1) ?? "http://localhost:2379").split(",") };
  } catch (error) {
    if (error instanceof UnknownFlag) throw new WrongCommandLine(`flag provided but not defined: -${error.flag}`, false);
    throw error;
  }
}
