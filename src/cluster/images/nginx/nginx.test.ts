import { describe, expect, it } from "vitest";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import { collector, machine } from "#sim/kernel-fixture.ts";
import { nginxImages } from "./image.ts";

/** nginx with one file of configuration; `get` gives status, headers that are not always the same, and text. */
function nginxWith(configuration: string) {
  const made = machine(nginxImages.find(({ tag }) => tag === "1.27")?.files);
  made.files.writeFile("/etc/nginx/conf.d/default.conf", configuration);
  const [stdout, stderr] = [collector(), collector()];
  const env = new Map([["PATH", "/usr/sbin:/usr/bin"]]);
  const argv = ["nginx", "-g", "daemon off;"];
  const handle = made.start("/usr/sbin/nginx", { argv, env, stdout: stdout.sink, stderr: stderr.sink });
  made.simulation.advance(100);
  const get = (target: string, headers: { readonly [name: string]: string } = { host: "shop.example:8080" }) => {
    let answer: readonly [number, { readonly [name: string]: string }, string] | undefined;
    made.network.request({ address: "127.0.0.1", port: 80 }, { method: "GET", target, headers, body: noBytes }, {}, (result) => {
      if (result.ok) answer = [result.exchange.status, result.exchange.headers, decodeUtf8(result.exchange.body ?? noBytes)];
    });
    made.simulation.runUntil(() => answer !== undefined, { limitMs: 5000 });
    return answer;
  };
  return { get, stdout, stderr, handle };
}

describe("nginx's variables", () => {
  it.each([
    ["$hostname $remote_addr", "test 127.0.0.1"],
    ["$request_method $scheme://$host$request_uri", "GET http://shop.example/a%20b?x=1&y=2"],
    ["$uri|$args|$is_args|$arg_y", "/a b|x=1&y=2|?|2"],
    ["${server_name}:$server_port $server_protocol", "shop.example:80 HTTP/1.1"],
    ["$http_host $http_x_none.", "shop.example:8080 ."],
    ["$nginx_version $time_iso8601", "1.27.5 2026-01-01T00:00:00+00:00"],
  ])("return 200 '%s'", (text, answer) => {
    const { get } = nginxWith(`server { listen 80; server_name shop.example; location / { return 200 '${text}'; } }`);
    expect(get("/a%20b?x=1&y=2")?.[2]).toBe(answer);
  });

  it("stand in redirects and headers", () => {
    const { get } = nginxWith(
      "server { listen 80; add_header X-Served-By $hostname; location /old { return 301 https://$host$request_uri; } location / { return 200 hi; } }",
    );
    expect(get("/old/x?y=1")?.[1]).toMatchObject({ location: "https://shop.example/old/x?y=1", "x-served-by": "test" });
    expect(get("/")?.[1]).toMatchObject({ "x-served-by": "test" });
  });

  it("make the lines of the log", () => {
    const { get, stdout } = nginxWith(`log_format short '$remote_addr $request '
      '$status $body_bytes_sent $http_referer';
server { listen 80; access_log /var/log/nginx/access.log short;
  location /quiet { access_log off; return 200 q; } location / { return 200 hi; } }`);
    get("/a");
    get("/quiet");
    expect(stdout.text()).toBe("127.0.0.1 GET /a HTTP/1.1 200 2 -\n");
  });

  it.each([
    ["server { location / { return 200 $nope; } }", 'unknown "nope" variable'],
    ["server { access_log /x nope; }", 'unknown log format "nope" in /etc/nginx/conf.d/default.conf:1'],
  ])("%s is refused", (configuration, message) => {
    const { stderr, handle } = nginxWith(configuration);
    expect([stderr.text(), handle.exit?.code]).toEqual([
      `2026/01/01 00:00:00 [emerg] 1#1: ${message}\nnginx: [emerg] ${message}\n`,
      1,
    ]);
  });
});
