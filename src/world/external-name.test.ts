// Services of type ExternalName in a whole cluster: which name reaches the server that they lead to.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const sites = `server {
  listen 80 default_server;
  return 404;
}
server {
  listen 80;
  server_name api.weather.example.org;
  location / { return 200 "14 C\\n"; }
}
`;
const authority = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

describe("a server behind an ExternalName", () => {
  let learner: TypingLearner;
  let world: World;
  const inPod = (command: string) => learner.run(`kubectl exec client -- ${command}`);
  const addAlias = (name: string, externalName: string) =>
    world.client.create(kinds.services, { metadata: { name, namespace: "default" }, spec: { type: "ExternalName", externalName } });

  beforeAll(() => {
    world = new World({
      startMs: 1_767_225_600_000,
      seed: 1,
      nodes: 1,
      files: {},
      hosts: [
        {
          name: "weather",
          address: "198.51.100.30",
          names: ["api.weather.example.org"],
          image: "nginx:1.27",
          files: { "/etc/nginx/conf.d/default.conf": sites },
        },
      ],
    });
    world.boot();
    addAlias("weather", "api.weather.example.org");
    addAlias("api", "kubernetes.default.svc.cluster.local");
    addAlias("digits", "198.51.100.30");
    world.client.create(kinds.pods, {
      metadata: { name: "client", namespace: "default" },
      spec: { containers: [{ name: "client", image: "nginx:1.27" }] },
    });
    world.simulation.advance(30_000);
    learner = sitDown(world);
  });

  it("[NET-172] is asked by HTTP for the Service's name, which it may not know", () => {
    expect(inPod("curl -sv http://weather/ 2>&1 | grep -E '^(> Host|< HTTP)'")).toBe("> Host: weather\n< HTTP/1.1 404 Not Found\n");
    expect(
      inPod(
        "curl -sv -o /dev/null http://weather/ 2>&1 | grep -B 20 '< HTTP' | sed 's/[0-9.]*:80\\.\\.\\./ADDRESS/; s/4: .*/4: ADDRESS/; s/(.*)/(ADDRESS)/'",
      ),
    ).toBe(
      [
        "* Host weather:80 was resolved.",
        "* IPv6: (ADDRESS)",
        "* IPv4: ADDRESS",
        "*   Trying ADDRESS",
        "* Connected to weather (ADDRESS) port 80",
        "* using HTTP/1.x",
        "> GET / HTTP/1.1",
        "> Host: weather",
        "> User-Agent: curl/8.14.1",
        "> Accept: */*",
        ">",
        "* Request completely sent off",
        "< HTTP/1.1 404 Not Found",
        "",
      ].join("\n"),
    );
    expect(inPod("curl -s -H 'Host: api.weather.example.org' http://weather/")).toBe("14 C\n");
    expect(inPod("curl -s http://api.weather.example.org/")).toBe("14 C\n");
  });

  it("[NET-172] has no certificate for the Service's name: HTTPS fails with curl's code 60", () => {
    expect(inPod(`curl -s --cacert ${authority} https://kubernetes.default/version | grep -c gitVersion`)).toBe("1\n");
    expect(inPod(`curl -sS --cacert ${authority} https://api/version 2>&1 | head -n 1`)).toContain(
      "curl: (60) SSL: no alternative certificate subject name matches target hostname 'api'",
    );
    expect(inPod(`curl -s --cacert ${authority} https://api/version; echo $?`)).toMatch(/\b60\n$/);
  });

  it("[NET-017] is not found by a name that is made of digits", () => {
    expect(inPod("curl -sS http://digits/")).toContain("curl: (6) Could not resolve host: digits");
  });
});
