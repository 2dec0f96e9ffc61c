import { describe, expect, it } from "vitest";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import { collector, machine } from "#sim/kernel-fixture.ts";
import { nginxImages } from "./image.ts";

/** nginx with one file of configuration; `get` gives status, headers that are not always the same, and text. */
function nginxWith(configuration: string, argv: readonly string[] = ["nginx", "-g", "daemon off;"]) {
  const made = machine(nginxImages.find(({ tag }) => tag === "1.27")?.files);
  made.files.writeFile("/etc/nginx/conf.d/default.conf", configuration);
  const [stdout, stderr] = [collector(), collector()];
  const env = new Map([["PATH", "/usr/sbin:/usr/bin"]]);
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
  return { ...made, get, stdout, stderr, handle };
}

describe("limit_rate", () => {
  const configuration = `server { listen 80; location / { return 200 hi; } location /slow { limit_rate 1k; return 200 ${"x".repeat(4096)}; } }`;

  /** A slow answer's bytes so far, and whether it has ended. */
  function download(made: ReturnType<typeof nginxWith>) {
    const seen = { bytes: 0, ended: false, length: "" };
    made.network.request(
      { address: "127.0.0.1", port: 80 },
      { method: "GET", target: "/slow", headers: {}, body: noBytes },
      {},
      (result) => {
        if (!result.ok) return;
        const { exchange } = result;
        seen.length = exchange.headers["content-length"] ?? "";
        exchange.onData = (bytes) => {
          seen.bytes += bytes.length;
        };
        exchange.onEnd = () => {
          seen.ended = true;
        };
      },
    );
    return seen;
  }

  it("sends so much a second, and logs an answer when it is out", () => {
    const made = nginxWith(configuration);
    const seen = download(made);
    made.simulation.advance(1500);
    expect([seen, made.stdout.text()]).toEqual([{ bytes: 2048, ended: false, length: "4096" }, ""]);
    made.simulation.advance(2000);
    expect(seen).toEqual({ bytes: 4096, ended: true, length: "4096" });
    expect(made.stdout.text()).toContain('"GET /slow HTTP/1.1" 200 4096 ');
  });

  it("is waited for by a server that is told to QUIT, which takes no more requests", () => {
    const made = nginxWith(configuration);
    const seen = download(made);
    made.simulation.advance(500);
    made.handle.signal("QUIT");
    made.simulation.advance(1000);
    let refused = "";
    made.network.request(
      { address: "127.0.0.1", port: 80 },
      { method: "GET", target: "/", headers: {}, body: noBytes },
      {},
      (result) => {
        refused = result.ok ? "" : String(result.error);
      },
    );
    made.simulation.advance(100);
    expect([refused, made.handle.exit, seen.ended]).toEqual(["ECONNREFUSED", undefined, false]);
    made.simulation.advance(3000);
    expect([seen.bytes, made.handle.exit?.code]).toEqual([4096, 0]);
    expect(made.stderr.text().match(/gracefully shutting down|1#1: exit/gu)).toEqual(["gracefully shutting down", "1#1: exit"]);
  });

  it.each(["TERM", "KILL"] as const)("is cut by %s, also while the server finishes", (signal) => {
    const made = nginxWith(configuration);
    const seen = download(made);
    made.simulation.advance(500);
    made.handle.signal("QUIT");
    made.simulation.advance(100);
    made.handle.signal(signal);
    made.simulation.advance(100);
    expect([seen, made.handle.exit?.code]).toEqual([{ bytes: 1024, ended: true, length: "4096" }, signal === "TERM" ? 0 : 137]);
  });

  it("leaves curl without the rest when the server dies", () => {
    const made = nginxWith(configuration);
    const errors = collector();
    const argv = ["curl", "-sS", "-o", "/dev/null", "http://127.0.0.1/slow"];
    const curl = made.start("/usr/bin/curl", { argv, stdout: errors.sink, stderr: errors.sink });
    made.simulation.advance(1500);
    made.handle.signal("KILL");
    made.simulation.advance(100);
    expect([errors.text(), curl.exit?.code]).toEqual(["curl: (18) end of response with 2048 bytes missing\n", 18]);
  });

  it("holds for the servers above it too", () => {
    const made = nginxWith(`${configuration.replace("limit_rate 1k;", "")}\nlimit_rate 2k;`);
    const seen = download(made);
    made.simulation.advance(500);
    expect(seen.bytes).toBe(2048);
  });

  it("is refused when it is no size", () => {
    expect(nginxWith("server { limit_rate fast; }").stderr.text()).toContain(
      '"limit_rate" directive invalid value in /etc/nginx/conf.d/default.conf:1',
    );
  });
});

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

describe("a server in the background", () => {
  it("is what nginx leaves behind without `daemon off;`: the command has ended", () => {
    const made = nginxWith("server { listen 80; return 200 hi; }", ["nginx"]);
    expect(made.handle.exit).toMatchObject({ code: 0 });
    expect(made.get("/")?.slice(0, 1)).toEqual([200]);
  });

  it("is not there with `daemon off;` in the main file", () => {
    const made = nginxWith("server { listen 80; return 200 hi; }");
    expect(made.handle.exit).toBeUndefined();
  });
});
