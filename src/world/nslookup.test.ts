// busybox's nslookup in a Pod, against the cluster's own DNS.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let learner: TypingLearner;

beforeAll(() => {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl run box --image=busybox:1.37 -- sleep 1d");
  learner.run("kubectl run old --image=busybox:1.28 -- sleep 1d");
  learner.run("kubectl create service clusterip web --tcp=80 --clusterip=10.96.7.7");
  world.simulation.advance(20_000);
});

// The screen of the test kit shows no tabs.
const head = "Server:10.96.0.10\nAddress:10.96.0.10:53\n\n";
const failed = "command terminated with exit code 1\n";
const lookUp = (words: string): string => learner.run(`kubectl exec box -- nslookup ${words}`);
const missing = (name: string): string => `** server can't find ${name}: NXDOMAIN\n\n`;

describe("nslookup in busybox", () => {
  it("[NET-181] asks for a name with a dot as it is, for both kinds of addresses", () => {
    expect(lookUp("web.default.svc.cluster.local")).toBe(`${head}Name:web.default.svc.cluster.local\nAddress: 10.96.7.7\n\n\n`);
    expect(lookUp("web.default")).toBe(head + missing("web.default") + missing("web.default") + failed);
  });

  it("asks for a short name with every domain of the search list, and fails when one of them has no such name", () => {
    const others = missing("web.svc.cluster.local") + missing("web.cluster.local");
    expect(lookUp("web")).toBe(`${head}Name:web.default.svc.cluster.local\nAddress: 10.96.7.7\n\n${others}\n${others}${failed}`);
    expect(lookUp("gone")).toBe(
      `${head}${[1, 2].map(() => ["default.svc.", "svc.", ""].map((domain) => missing(`gone.${domain}cluster.local`)).join("")).join("")}${failed}`,
    );
  });

  it("asks for the types that it is told, for an address's name, and a given server", () => {
    expect(lookUp("-type=a web.default.svc.cluster.local 10.96.0.10")).toBe(
      `${head}Name:web.default.svc.cluster.local\nAddress: 10.96.7.7\n\n`,
    );
    expect(lookUp("-q=srv _http._tcp.web.default.svc.cluster.local.")).toBe(
      head + missing("_http._tcp.web.default.svc.cluster.local.") + failed,
    );
    expect(lookUp("-type=srv web.default.svc.cluster.local")).toBe(
      `${head}web.default.svc.cluster.localservice = 0 100 80 web.default.svc.cluster.local\n\n`,
    );
    expect(lookUp("10.96.7.7")).toBe(`${head}7.7.96.10.in-addr.arpaname = web.default.svc.cluster.local\n\n`);
    const digits = `${"1.".padEnd(48, "0.")}8.b.d.0.1.0.0.2`;
    expect(lookUp("2001:db8::1")).toBe(head + missing(`${digits}.ip6.arpa`) + failed);
  });

  it("takes what only looks like an address for a name", () => {
    for (const name of ["http://web.default", "10.96.7.777"]) expect(lookUp(name)).toBe(head + missing(name).repeat(2) + failed);
  });

  it("[NET-181] of 1.28 goes by the search list, and knows no reasons", () => {
    const server = "Server:    10.96.0.10\nAddress 1: 10.96.0.10 kube-dns.kube-system.svc.cluster.local\n\n";
    const old = (words: string): string => learner.run(`kubectl exec old -- nslookup ${words}`);
    const found = "Address 1: 10.96.7.7 web.default.svc.cluster.local\n";
    expect(old("web")).toBe(`${server}Name:      web\n${found}`);
    expect(old("web.default")).toBe(`${server}Name:      web.default\n${found}`);
    expect(old("web.default 10.96.0.10")).toBe(`${server}Name:      web.default\n${found}`);
    expect(old("10.96.7.7")).toBe(`${server}Name:      10.96.7.7\n${found}`);
    expect(old("kubernetes.io")).toBe(`${server}Name:      kubernetes.io\nAddress 1: 192.0.2.20\n`);
    expect(old("gone")).toBe(`${server}nslookup: can't resolve 'gone'\n${failed}`);
    expect(old("web nowhere")).toBe(`nslookup: bad address 'nowhere'\n${failed}`);
    expect(old("-type=a web")).toContain("Usage: nslookup [HOST] [SERVER]");
    expect(learner.run("kubectl exec old -- busybox nslookup web")).toBe(`${server}Name:      web\n${found}`);
  });

  it("says that an answer is from elsewhere, until the DNS server has it in its cache", () => {
    const answer = "Name:example.com\nAddress: 192.0.2.10\n\n";
    const isElsewhere = [1, 2, 3]
      .map(() => lookUp("-type=a example.com"))
      .map((text) => {
        expect(text).toContain(answer);
        return text.includes("Non-authoritative answer:\n");
      });
    // There are two servers.
    expect(isElsewhere[0]).toBe(true);
    expect(isElsewhere).toContain(false);
  });

  it("stands beside host in Debian, which tells the name that the search list has made", () => {
    learner.run("kubectl run deb --image=debian:13 -- sleep 1d; kubectl wait --for=condition=Ready pod/deb");
    expect(learner.run("kubectl exec deb -- host web")).toBe("web.default.svc.cluster.local has address 10.96.7.7\n");
    expect(learner.run("kubectl exec deb -- host gone")).toBe(`Host gone not found: 3(NXDOMAIN)\n${failed}`);
  });

  it("refuses what it does not do", () => {
    expect(lookUp("-type=mx web")).toBe(`nslookup: query type MX: the simulated DNS has no such records\n${failed}`);
    expect(lookUp("-type=nope web")).toBe(`nslookup: invalid query type "nope"\n${failed}`);
    expect(lookUp("-port=54 web")).toBe(`nslookup: -port: not simulated by this nslookup\n${failed}`);
    expect(lookUp("web nowhere")).toBe(`nslookup: bad address 'nowhere'\n${failed}`);
    expect(lookUp("-x web")).toContain("Usage: nslookup [-type=QUERY_TYPE] [-debug] HOST [DNS_SERVER]");
  });

  it("is refused while no DNS server is behind the Service", () => {
    learner.run("kubectl -n kube-system scale deployment coredns --replicas=0; sleep 40");
    const nobody = `;; connection timed out; no servers could be reached\n\n${failed}`;
    expect(lookUp("web.default")).toBe(`nslookup: write to '10.96.0.10': Connection refused\n${nobody}`);
    expect(learner.run("kubectl exec old -- nslookup web.default")).toBe(
      `Server:    10.96.0.10\nAddress 1: 10.96.0.10\n\nnslookup: can't resolve 'web.default'\n${failed}`,
    );
    expect(lookUp("-type=a web.default")).toBe(`${"nslookup: read: Connection refused\n".repeat(2)}${nobody}`);
  });
});
