import { describe, expect, it } from "vitest";
import { kubectlWorld } from "../kubectl-fixture.ts";

const server = "http://127.0.0.1:8001";
const target = `${server}/api/v1/namespaces/default/configmaps?limit=500`;
const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const agent = "kubectl/v1.36.3 (linux/amd64) kubernetes/$Format";
/** Of ten features of client-go, before the first request. */
const gate = /^I envvar\.go:195\] "Feature gate default state" feature="\w+" enabled=(true|false)\n/gm;
const nothing = "No resources found in default namespace.\n";

/** What stands on stderr, without times, processes and identifiers. */
function logged(line: string, before: readonly string[] = ["get configmaps"]): string {
  const world = kubectlWorld();
  for (const other of before) world.run(other);
  return world
    .run(line)
    .stderr.replace(/^I\d{4} [\d:.]+ +\d+ /gm, "I ")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID");
}

describe("kubectl -v", () => {
  it("says nothing of requests below 6", () => {
    expect(logged("get configmaps -v=5").replace(gate, "")).toBe(nothing);
  });

  it("has the file and a line a request at 6", () => {
    const text = logged("get configmaps -v=6");
    expect(text.match(gate)).toHaveLength(10);
    expect(text.replace(gate, "")).toBe(
      `I loader.go:407] Config loaded from file:  /root/.kube/config
I round_trippers.go:632] "Response" verb="GET" url="${target}" status="200 OK" milliseconds=0
${nothing}`,
    );
  });

  it("shows what the lists of resource types cost", () => {
    const lines = logged("get configmaps -v=6", []).replace(gate, "").split("\n");
    expect(lines.slice(1, 3)).toEqual([
      `I round_trippers.go:632] "Response" verb="GET" url="${server}/api?timeout=32s" status="200 OK" milliseconds=0`,
      `I round_trippers.go:632] "Response" verb="GET" url="${server}/apis?timeout=32s" status="200 OK" milliseconds=0`,
    ]);
  });

  it("has the request's headers at 7, credentials masked", () => {
    expect(logged("get configmaps -v=7 --token abc")).toContain(
      `I round_trippers.go:527] "Request" verb="GET" url="${target}" headers=<
\tAccept: ${accept}
\tAuthorization: Bearer <masked>
\tUser-Agent: ${agent}
 >
I round_trippers.go:632] "Response" status="200 OK" milliseconds=0
`,
    );
  });

  it("has the answer's headers, and bodies cut short, at 8", () => {
    const text = logged("get configmaps -v=8");
    expect(text).toContain(`"Request Body" body=""\nI round_trippers.go:527] "Request" verb="GET"`);
    expect(text).toContain(`"Response" status="200 OK" headers=<
\tAudit-Id: UID
\tCache-Control: no-cache, private
\tContent-Length: 1165
\tContent-Type: application/json
\tX-Kubernetes-Pf-Flowschema-Uid: UID
\tX-Kubernetes-Pf-Prioritylevel-Uid: UID
 > milliseconds=0
`);
    expect(text).toMatch(/"Response Body" body="\{\\"kind\\":\\"Table\\".* \[truncated 141 chars\]"\n/);
  });

  it("has a curl command and what was dialed at 9", () => {
    const text = logged("get configmaps -v=9");
    expect(text).toContain(`"Request" curlCommand=<
\tcurl -v -XGET  -H "Accept: ${accept}" -H "User-Agent: ${agent}" '${target}'
 >
I round_trippers.go:562] "HTTP Trace: Dial succeed" network="tcp" address="127.0.0.1:8001"
I round_trippers.go:632] "Response" verb="GET" url="${target}" status="200 OK" headers=<
`);
    expect(text).toContain(" > milliseconds=0 dnsLookupMilliseconds=0 dialMilliseconds=0 tlsHandshakeMilliseconds=0\n");
    expect(text).toMatch(/"Response Body" body=<\n\t\{"kind":"Table".*\}\n >\n/);
  });

  it("shows the answer behind a failure from 4 on", () => {
    expect(logged("get configmap absent -v=4").replace(gate, "")).toBe(`I helpers.go:246] server response object: %s[{
  "kind": "Status",
  "apiVersion": "v1",
  "metadata": {},
  "status": "Failure",
  "message": "configmaps \\"absent\\" not found",
  "reason": "NotFound",
  "details": {
    "name": "absent",
    "kind": "configmaps"
  },
  "code": 404
}]
Error from server (NotFound): configmaps "absent" not found
`);
  });

  it("tells of a server that is not there", () => {
    const text = logged(`get configmaps -v=6 --server http://127.0.0.1:1`);
    expect(text).toContain(`"Response" verb="GET" url="http://127.0.0.1:1/api?timeout=32s" status="" milliseconds=0\n`);
  });
});
