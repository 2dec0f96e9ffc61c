// What is wrong with a user's credentials: the rules of client-go's clientcmd before anything is sent.

import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { type JsonObject, textAt } from "../documents.ts";

function readProblem(self: Process, path: string): string | undefined {
  try {
    self.readFile(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return `open ${path}: ${asciiLowerCase(error.message)}`;
  }
}

/** Sentences for the user `name`; file names in `user` are absolute. */
export function credentialProblems(self: Process, name: string, user: JsonObject): readonly string[] {
  const problems: string[] = [];
  const methods = [
    ...(textAt(user, "token") === "" ? [] : ["token"]),
    ...(textAt(user, "username") === "" && textAt(user, "password") === "" ? [] : ["basicAuth"]),
  ];
  const [certificate, certificateData] = [textAt(user, "client-certificate"), textAt(user, "client-certificate-data")];
  if (certificate !== "" || certificateData !== "") {
    const [key, keyData] = [textAt(user, "client-key"), textAt(user, "client-key-data")];
    if (certificate !== "" && certificateData !== "")
      problems.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`);
    if (key !== "" && keyData !== "")
      problems.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`);
    if (key === "" && keyData === "")
      problems.push(`client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`);
    for (const [word, path] of [
      ["client-cert", certificate],
      ["client-key", key],
    ] as const) {
      const problem = path === "" ? undefined : readProblem(self, path);
      if (problem !== undefined) problems.push(`unable to read ${word} ${path} for ${name} due to ${problem}`);
    }
  }
  if (methods.length > 1)
    problems.push(`more than one authentication method found for ${name}; found [${methods.join(" ")}], only one is allowed`);
  return problems;
}
