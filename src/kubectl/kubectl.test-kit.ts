// A small world for kubectl's tests: a machine whose loopback reaches an API server, and a way to run command lines.

import { expect } from "vitest";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import { createHandler } from "#cluster/apiserver/http/handler.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import { machine, type Ran, tree } from "#sim/kernel.test-kit.ts";
import type { Certificate } from "#sim/net.ts";
import { provideHelpTexts } from "./help/catalog-reader.ts";
import { helpTexts } from "./help/generated/texts.ts";
import { kubectl } from "./kubectl.ts";

const kubeConfig = `apiVersion: v1
kind: Config
clusters:
- name: kubernetes
  cluster: {server: "http://127.0.0.1:8001"}
contexts:
- name: kubernetes-admin@kubernetes
  context: {cluster: kubernetes, user: kubernetes-admin}
current-context: kubernetes-admin@kubernetes
users:
- name: kubernetes-admin
  user: {}
`;

/** What the loopback port takes its clients for. */
export const administratorCertificate: Certificate = {
  commonName: "kubernetes-admin",
  organizations: ["system:masters"],
  alternativeNames: [],
  issuer: "kubernetes",
  notBeforeMs: 0,
  notAfterMs: 8_000_000_000_000,
};

const administrator = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

/** Splits a command line at blanks; single and double quotes keep words together. */
export function words(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map((match) => match[0].replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

export interface KubectlWorld {
  readonly server: ApiServer;
  /** The administrator's client. */
  readonly client: Client;
  readonly machine: ReturnType<typeof machine>;
  /** Runs `kubectl <line>` to its end. */
  run(line: string, options?: { readonly stdin?: string; readonly kubeconfig?: string }): Ran;
  /** Writes a file of the machine. */
  write(path: string, text: string): void;
}

provideHelpTexts(helpTexts);

/** A world with the objects that the server makes itself. */
export function kubectlWorld(files: { readonly [path: string]: string } = {}): KubectlWorld {
  const box = machine(tree({ "/root/.kube/config": kubeConfig, "/tmp": { type: "directory", permissions: 0o1777 }, ...files }));
  const server = new ApiServer({ simulation: box.simulation });
  server.start();
  const handler = createHandler(server);
  box.network.listen({
    port: 8001,
    address: "127.0.0.1",
    onHttp: (request, peer, responder) =>
      handler(request, { ...peer, certificate: administratorCertificate, secure: true }, responder),
  });
  const client = server.clientFor(administrator, "test");
  for (const namespace of ["default", "kube-system"]) client.create(serviceAccounts, { metadata: { name: "default", namespace } });
  const write = (path: string, text: string) => {
    box.run(function* (self) {
      self.writeFile(path, text);
      return 0;
    });
  };
  return {
    server,
    client,
    machine: box,
    write,
    run: (line, options = {}) => {
      const { kubeconfig } = options;
      const env = new Map([["HOME", "/root"], ...(kubeconfig === undefined ? [] : [["KUBECONFIG", kubeconfig] as const])]);
      if (options.stdin === undefined) {
        return box.run(kubectl, { argv: ["kubectl", ...words(line)], env, cwd: "/tmp" });
      }
      write("/tmp/.stdin", options.stdin);
      return box.run(
        function* (self) {
          const input = self.open("/tmp/.stdin", { read: true });
          const pid = self.spawn({
            run: kubectl,
            argv: ["kubectl", ...words(line)],
            fds: new Map([
              [0, input],
              [1, 1],
              [2, 2],
            ]),
          });
          return (yield* self.wait(pid))?.code ?? 1;
        },
        { env, cwd: "/tmp" },
      );
    },
  };
}

/** A command line, and what it prints: exit code 0 and nothing unless told. */
export interface Case {
  readonly line: string;
  readonly stdin?: string;
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Runs the lines one after the other in one world; outputs are those of kubectl v1.36.3 against the same server. */
export function check(world: KubectlWorld, cases: readonly Case[]): void {
  const actual = cases.map(({ line, stdin }) => ({ line, ...world.run(line, stdin === undefined ? {} : { stdin }) }));
  expect(actual).toEqual(cases.map(({ stdin: _stdin, ...wanted }) => ({ code: 0, stdout: "", stderr: "", ...wanted })));
}
