import { describe, expect, it } from "vitest";
import { currentContext } from "./kubeconfig.ts";

const contexts = `contexts:
- context:
    cluster: kubernetes
    namespace: team
    user: kubernetes-admin
  name: team
- context:
    cluster: kubernetes
    user: kubernetes-admin
  name: bare
`;

describe("the current context of a kubeconfig", () => {
  it.each<readonly [string, string, string, string]>([
    ["with its namespace", `${contexts}current-context: team\n`, "team", "team"],
    ["in the namespace default where it names none", `${contexts}current-context: bare\n`, "bare", "default"],
    ["that does not exist", `${contexts}current-context: gone\n`, "gone", "default"],
    ["of a file in JSON", '{"current-context": "x", "contexts": [{"name": "x", "context": {"namespace": "y"}}]}', "x", "y"],
    [
      "of a file with a key twice: the last one counts",
      `current-context: bare\n${contexts}current-context: team\n`,
      "team",
      "team",
    ],
    ["of an empty file", "", "", "default"],
    ["of a text that is no YAML", "a: b: c\n", "", "default"],
    ["of a list", "- a\n", "", "default"],
    ["where fields are not what they should be", "contexts: team\ncurrent-context: [team]\n", "", "default"],
  ])("%s", (_title, text, context, namespace) => {
    expect(currentContext(text)).toEqual({ context, namespace });
  });
});
