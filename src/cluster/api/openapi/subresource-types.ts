// What the names of subresources become in names of operations, and the query parameters of those that are streams.

export const subresourceTypes: {
  readonly [name: string]: { readonly suffix: string; readonly query: readonly string[] | undefined };
} = {
  attach: { suffix: "Attach", query: ["container", "stderr", "stdin", "stdout", "tty"] },
  ephemeralcontainers: { suffix: "Ephemeralcontainers", query: undefined },
  exec: { suffix: "Exec", query: ["command", "container", "stderr", "stdin", "stdout", "tty"] },
  log: {
    suffix: "Log",
    query: [
      "container",
      "follow",
      "insecureSkipTLSVerifyBackend",
      "limitBytes",
      "pretty",
      "previous",
      "sinceSeconds",
      "stream",
      "tailLines",
      "timestamps",
    ],
  },
  portforward: { suffix: "Portforward", query: ["ports"] },
  proxy: { suffix: "Proxy", query: ["path"] },
};

/** The generated type of a subresource's body. */
export function subresourceType(kind: string): string {
  return kind === "TokenRequest" ? "AuthenticationV1TokenRequest" : kind;
}
