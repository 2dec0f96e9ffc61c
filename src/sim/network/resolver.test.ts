import { describe, expect, it } from "vitest";
import { machine, tree } from "../kernel.test-kit.ts";
import { candidateNames, lookUpHosts, parseResolvConf } from "./resolver.ts";

const podConfiguration = "search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n";

describe("name resolution", () => {
  it("reads resolv.conf", () => {
    expect(parseResolvConf(`# kubelet\n${podConfiguration}`)).toEqual({
      servers: ["10.96.0.10"],
      search: ["shop.svc.cluster.local", "svc.cluster.local", "cluster.local"],
      ndots: 5,
      attempts: 2,
      timeoutSeconds: 5,
    });
    expect(parseResolvConf("options timeout:40 attempts:9 edns0\noptions ndots:2")).toMatchObject({
      ndots: 2,
      attempts: 5,
      timeoutSeconds: 30,
    });
  });

  it.each([
    ["web", ["web.shop.svc.cluster.local", "web.svc.cluster.local", "web.cluster.local", "web"]],
    ["web.", ["web"]],
    [
      "a.b.c.d.e.f",
      ["a.b.c.d.e.f", "a.b.c.d.e.f.shop.svc.cluster.local", "a.b.c.d.e.f.svc.cluster.local", "a.b.c.d.e.f.cluster.local"],
    ],
  ])("[NET-176] asks for %s by search list and ndots", (name, expected) => {
    expect(candidateNames(name, parseResolvConf(podConfiguration))).toEqual(expected);
  });

  it("finds names in /etc/hosts", () => {
    expect(lookUpHosts("127.0.0.1 localhost\n::1 localhost\n10.1.2.3 web-0.web web-0 # me\n", "WEB-0")).toEqual(["10.1.2.3"]);
  });

  it("asks the servers in order, for both kinds of addresses, and tells an unknown name from no answer", () => {
    const { run } = machine(
      tree({ "/etc/resolv.conf": "nameserver 127.0.0.1\nsearch example.org\n", "/etc/hosts": "1.2.3.4 fixed\n" }),
    );
    const asked: string[] = [];
    const result = run(function* (self) {
      const fd = self.serveDns((question, _client, answer) => {
        asked.push(`${question.type} ${question.name}`);
        const known = question.name === "web.example.org";
        answer({
          code: known ? "NOERROR" : "NXDOMAIN",
          records: known && question.type === "A" ? [{ name: question.name, type: "A", ttlSeconds: 30, data: "10.0.0.7" }] : [],
          server: "127.0.0.1",
          authoritative: true,
        });
      });
      const found = [
        yield* self.resolve("fixed"),
        yield* self.resolve("web"),
        yield* self.resolve("gone"),
        yield* self.resolve("9.9.9.9"),
      ];
      self.close(fd);
      let error = "";
      try {
        yield* self.resolve("web");
      } catch (thrown) {
        error = (thrown as Error).message;
      }
      yield* self.write(1, `${found.join(" | ")} | ${error}`);
      return 0;
    });
    expect(result.stdout).toBe("1.2.3.4 | 10.0.0.7 |  | 9.9.9.9 | Resource temporarily unavailable");
    const names = ["web.example.org", "gone.example.org", "gone"];
    expect(asked).toEqual(names.flatMap((name) => [`A ${name}`, `AAAA ${name}`]));
  });
});
