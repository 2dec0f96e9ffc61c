// Who one is, asked for where neither flags nor kubeconfig say it (client-go's clientcmd, PromptingAuthLoader).

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Process, Sys } from "#sim/program.ts";
import { KubectlError } from "../errors.ts";
import type { ServerSettings } from "./effective.ts";

/** Only a server behind TLS is told who one is. */
export function isNobody({ scheme, credentials }: ServerSettings): boolean {
  const { clientCertificate, token, username, byPlugin } = credentials;
  return scheme === "https" && clientCertificate === "" && token === "" && username === "" && !byPlugin;
}

/** A word for the name, a line that is not shown for the password: it is taken from a terminal only. */
export function* askWho(self: Process): Sys<{ readonly username: string; readonly password: string }> {
  yield* self.write(1, "Please enter Username: ");
  let typed = "";
  while (!/\S\s/.test(typed)) {
    const part = yield* self.read(0);
    if (part.length === 0) break;
    typed += decodeUtf8(part);
  }
  const [username] = typed.trim().split(/\s+/);
  if (username === undefined || username === "") throw new KubectlError("EOF");
  yield* self.write(1, "Please enter Password: ");
  if (!self.isTty(0)) throw new KubectlError("error reading input for Password");
  return { username, password: yield* hiddenLine(self) };
}

function* hiddenLine(self: Process): Sys<string> {
  const terminal = self.terminal(0);
  const { modes } = terminal;
  terminal.setModes({ ...modes, echo: false });
  try {
    return decodeUtf8(yield* self.read(0)).replace(/\n$/, "");
  } finally {
    terminal.setModes(modes);
  }
}
