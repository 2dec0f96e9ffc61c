import { describe, expect, it } from "vitest";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { StartOptions } from "#sim/kernel.ts";
import { nginxImages } from "./image.ts";

/**
 * nginx as a container's first process, with one file of configuration; `get` gives status, headers that are not always the same, and text;
 * `more` runs a shell command beside it.
 */
function nginxWith(
  configuration: string,
  argv: readonly string[] = ["nginx", "-g", "daemon off;"],
  options: Partial<StartOptions> = {},
  mainConfiguration?: string,
  imageTag = "1.27",
) {
  const made = machine(nginxImages.find(({ tag }) => tag === imageTag)?.files);
  const pidNamespace = made.kernel.createPidNamespace(made.pidNamespace);
  made.files.writeFile("/etc/nginx/conf.d/default.conf", configuration);
  if (mainConfiguration !== undefined) made.files.writeFile("/etc/nginx/nginx.conf", mainConfiguration);
  const [stdout, stderr] = [collector(), collector()];
  const env = new Map([["PATH", "/usr/sbin:/usr/bin"]]);
  const handle = made.start("/usr/sbin/nginx", { argv, env, pidNamespace, stdout: stdout.sink, stderr: stderr.sink, ...options });
  const more = (command: string) => {
    const at = stderr.text().length;
    made.run("/bin/sh", { argv: ["sh", "-c", command], env, pidNamespace, stderr: stderr.sink });
    made.simulation.advance(1000);
    return stderr.text().slice(at);
  };
  made.simulation.advance(100);
  const get = (target: string, headers: { readonly [name: string]: string } = { host: "shop.example:8080" }) => {
    let answer: readonly [number, { readonly [name: string]: string }, string] | undefined;
    made.network.request({ address: "127.0.0.1", port: 80 }, { method: "GET", target, headers, body: noBytes }, {}, (result) => {
      if (result.ok) answer = [result.exchange.status, result.exchange.headers, decodeUtf8(result.exchange.body ?? noBytes)];
    });
    made.simulation.runUntil(() => answer !== undefined, { limitMs: 5000 });
    return answer;
  };
  return { ...made, pidNamespace, get, more, stdout, stderr, handle };
}

describe("curl -D", () => {
  it("keeps the heads of all answers, and the body apart", () => {
    const made = nginxWith("server { listen 80; location = /old { return 302 /new; } location / { return 200 hi; } }");
    made.more("curl -sL -D heads -o body http://127.0.0.1/old; curl -s -D nowhere/heads http://127.0.0.1/; echo $? > code");
    expect(made.files.readText("/heads").match(/^(?:HTTP|Location).*$/gmu)).toEqual([
      "HTTP/1.1 302 Found",
      "Location: http://127.0.0.1/new",
      "HTTP/1.1 200 OK",
    ]);
    expect([made.files.readText("/body"), made.files.readText("/code")]).toEqual(["hi", "23\n"]);
  });
});

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
    expect(made.stderr.text()).toMatch(/2#2: gracefully shutting down\n(.*\n)*.*1#1: exit\n$/u);
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

  it.each([
    [String.raw`"$hostname\n"`, "test\n"],
    [String.raw`'a\tb\r\n\'c\' \d'`, "a\tb\r\n'c' \\d"],
    [String.raw`$hostname\n`, "test\n"],
  ])("return 200 %s ends lines as nginx does", (text, answer) => {
    expect(nginxWith(`server { listen 80; location / { return 200 ${text}; } }`).get("/")?.[2]).toBe(answer);
  });

  it("stand in redirects and headers", () => {
    const { get } = nginxWith(
      "server { listen 80; add_header X-Served-By $hostname; location /old { return 301 https://$host$request_uri; } location / { return 200 hi; } }",
    );
    expect(get("/old/x?y=1")?.[1]).toMatchObject({ location: "https://shop.example/old/x?y=1", "x-served-by": "test" });
    expect(get("/")?.[1]).toMatchObject({ "x-served-by": "test" });
  });

  it("in redirects: the name that was asked for with the port that is listened on", () => {
    const { more, files } = nginxWith("server { listen 80; listen 8080; location /old { return 301 /new; } }");
    more(
      "for port in 80 8080; do curl -s -o /dev/null -w '%{redirect_url} ' -H 'Host: shop.example:30080' http://127.0.0.1:$port/old; done > told",
    );
    expect(files.readText("/told")).toBe("http://shop.example/new http://shop.example:8080/new ");
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
    const made = nginxWith("server { listen 80; return 200 hi; }", ["nginx", "-t"]);
    expect(made.run("/usr/sbin/nginx", { argv: ["nginx"] }).code).toBe(0);
    made.simulation.advance(1);
    expect(made.get("/")?.slice(0, 1)).toEqual([200]);
  });

  it("is not there with `daemon off;` in the main file", () => {
    const made = nginxWith("server { listen 80; return 200 hi; }");
    expect(made.handle.exit).toBeUndefined();
  });
});

/** Without the time, of which nothing is said. */
function told(text: string): readonly string[] {
  return text
    .replaceAll(/^\S+ \S+ (?=\[)/gmu, "")
    .trimEnd()
    .split("\n");
}

const hello = "server { listen 80; return 200 hi; }";

describe("nginx's processes", () => {
  const processes = ({ pidNamespace }: ReturnType<typeof nginxWith>) =>
    pidNamespace
      .infos()
      .map(({ pid, ppid, uid, argv, name, memoryBytes }) => [pid, ppid, uid, argv.join(" "), name, memoryBytes >> 20]);

  it("are a master of root and a worker of nginx for each processor", () => {
    const made = nginxWith(hello);
    const worker = (pid: number) => [pid, 1, 101, "nginx: worker process", "nginx", 2];
    expect(processes(made)).toEqual([
      [1, 0, 0, "nginx: master process nginx -g daemon off;", "nginx", 3],
      ...[2, 3, 4, 5].map(worker),
    ]);
    expect(told(made.stderr.text()).slice(4)).toEqual([
      "[notice] 1#1: getrlimit(RLIMIT_NOFILE): 1048576:1048576",
      "[notice] 1#1: start worker processes",
      ...[2, 3, 4, 5].map((pid) => `[notice] 1#1: start worker process ${pid}`),
    ]);
    expect(made.files.readText("/run/nginx.pid")).toBe("1\n");
  });

  it.each(nginxImages.map(({ tag }) => tag))("run as the user that the image has for them: nginx:%s", (tag) => {
    const made = nginxWith(hello, ["nginx", "-g", "daemon off;"], {}, undefined, tag);
    expect([...new Set(made.pidNamespace.infos().map(({ uid }) => uid))]).toEqual([0, 101]);
  });

  it("are as many as worker_processes says, of the user that is named", () => {
    const main = "user www-data; worker_processes 1; events {} http { include conf.d/*.conf; }";
    const made = nginxWith(hello, ["nginx", "-g", "daemon off;"], {}, main);
    expect(made.pidNamespace.infos().map(({ uid }) => uid)).toEqual([0, 33]);
  });

  it.each([
    ["worker_processes many;", '"worker_processes" directive invalid value in /etc/nginx/nginx.conf:1'],
    ["user nobody1;", 'getpwnam("nobody1") failed in /etc/nginx/nginx.conf:1'],
    ["daemon on;", '"daemon" directive is duplicate in /etc/nginx/nginx.conf:1'],
    ["error_log x loud;", 'invalid log level "loud" in /etc/nginx/nginx.conf:1'],
  ])("are none with %s", (main, message) => {
    const { stderr, handle } = nginxWith(hello, ["nginx", "-g", "daemon off;"], {}, main);
    expect([told(stderr.text())[0], handle.exit?.code]).toEqual([`[emerg] 1#1: ${message}`, 1]);
  });

  it("answer in turn, sixteen connections at a time, and log under their own numbers", () => {
    const made = nginxWith("server { listen 80; root /none; }");
    for (let count = 0; count < 20; count += 1) made.get("/");
    const pids = [...made.stderr.text().matchAll(/\[error\] (\d+)#\d+: \*(\d+) /gu)].map(([, pid, number]) => [pid, number]);
    expect(pids.slice(0, 5)).toEqual([
      ["2", "1"],
      ["3", "2"],
      ["4", "3"],
      ["5", "4"],
      ["2", "5"],
    ]);
    expect(pids.slice(5).every(([pid]) => pid === "2")).toBe(true);
  });

  it("are replaced when they die: the master says of what", () => {
    const made = nginxWith(hello);
    expect(told(made.more("kill -9 3"))).toEqual([
      "[notice] 1#1: signal 17 (SIGCHLD) received from 3",
      "[alert] 1#1: worker process 3 exited on signal 9",
      "[notice] 1#1: start worker process 7",
      "[notice] 1#1: signal 29 (SIGIO) received",
    ]);
    expect(told(made.more("kill -QUIT 4")).slice(0, 3)).toEqual([
      "[notice] 4#4: signal 3 (SIGQUIT) received from 8, shutting down",
      "[notice] 4#4: gracefully shutting down",
      "[notice] 4#4: exiting",
    ]);
    expect(made.pidNamespace.infos().map(({ pid }) => pid)).toEqual([1, 2, 5, 7, 9]);
    expect(made.get("/")?.[2]).toBe("hi");
  });

  it("read the files that an include names, and nothing else of the directory", () => {
    const made = nginxWith(hello);
    made.files.makeDirectories("/etc/nginx/conf.d/..2026_01_02_03_04_05.000000001");
    made.files.makeDirectories("/etc/nginx/conf.d/old");
    made.files.writeFile("/etc/nginx/conf.d/notes.txt", "nonsense");
    made.files.writeFile("/etc/nginx/conf.d/.draft.conf", "nonsense");
    made.files.writeFile("/etc/nginx/conf.d/default.conf", "server { listen 80; return 200 new; }");
    made.more("nginx -s reload");
    expect([made.get("/")?.[2], made.stderr.text()]).toEqual(["new", expect.not.stringContaining("[emerg]")]);
  });

  it("leave for new ones with another configuration when nginx is told to reload", () => {
    const made = nginxWith(hello);
    made.files.writeFile("/etc/nginx/conf.d/default.conf", "server { listen 80; return 200 new; }");
    const log = told(made.more("nginx -s reload"));
    expect(log.slice(0, 5)).toEqual([
      "[notice] 7#7: signal process started",
      "[notice] 1#1: signal 1 (SIGHUP) received from 7, reconfiguring",
      "[notice] 1#1: reconfiguring",
      '[notice] 1#1: using the "epoll" event method',
      "[notice] 1#1: start worker processes",
    ]);
    expect(log.slice(-2)).toEqual([
      "[notice] 1#1: worker process 5 exited with code 0",
      "[notice] 1#1: signal 29 (SIGIO) received",
    ]);
    expect([made.get("/")?.[2], made.pidNamespace.infos().length]).toEqual(["new", 5]);
  });

  it("stay as they are when the new configuration is refused", () => {
    const made = nginxWith(hello);
    made.files.writeFile("/etc/nginx/conf.d/default.conf", "server { nonsense; }");
    expect(told(made.more("kill -HUP 1")).slice(2)).toEqual([
      '[emerg] 1#1: unknown directive "nonsense" in /etc/nginx/conf.d/default.conf:1',
    ]);
    expect(made.get("/")?.[2]).toBe("hi");
  });

  it("finish what they have begun when others have taken over", () => {
    const made = nginxWith(`server { listen 80; limit_rate 1k; return 200 ${"x".repeat(4096)}; }`);
    const done: number[] = [];
    made.network.request(
      { address: "127.0.0.1", port: 80 },
      { method: "GET", target: "/", headers: {}, body: noBytes },
      {},
      (result) => {
        if (!result.ok) return;
        result.exchange.onData = (bytes) => done.push(bytes.length);
      },
    );
    made.more("nginx -s reload");
    expect(made.pidNamespace.infos().some(({ argv }) => argv[0] === "nginx: worker process is shutting down")).toBe(true);
    made.simulation.advance(5000);
    expect([done.length, made.pidNamespace.infos().length]).toEqual([4, 5]);
  });

  it("end with the master: TERM at once, KILL for one that does not listen", () => {
    const made = nginxWith(hello);
    expect(told(made.more("kill -STOP 2; nginx -s stop; sleep 5")).slice(-5)).toEqual([
      "[notice] 1#1: worker process 5 exited with code 0",
      "[notice] 1#1: signal 29 (SIGIO) received",
      "[notice] 1#1: signal 17 (SIGCHLD) received from 2",
      "[alert] 1#1: worker process 2 exited on signal 9",
      "[notice] 1#1: exit",
    ]);
    expect([made.handle.exit?.code, made.files.exists("/run/nginx.pid")]).toEqual([0, false]);
  });

  it("open their logs anew", () => {
    const made = nginxWith(hello);
    made.files.removeAll("/var/log/nginx/access.log");
    made.more("nginx -s reopen");
    made.get("/");
    expect(made.files.readText("/var/log/nginx/access.log")).toContain("GET / HTTP/1.1");
  });
});

describe("a master that is not root, or not all of it", () => {
  it("cannot make its directories", () => {
    const { stderr, handle } = nginxWith(hello, ["nginx", "-g", "daemon off;"], { uid: 101, gid: 101 });
    const message = 'mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)';
    expect(told(stderr.text()).slice(-2)).toEqual([`[emerg] 1#1: ${message}`, `nginx: [emerg] ${message}`]);
    expect(handle.exit?.code).toBe(1);
  });

  it("cannot give them away", () => {
    const { stderr } = nginxWith(hello, ["nginx", "-g", "daemon off;"], { capabilities: new Set() });
    expect(stderr.text()).toContain('chown("/var/cache/nginx/client_temp", 101) failed (1: Operation not permitted)\n');
  });

  it("has workers that cannot become nginx, and starts no others", () => {
    const made = nginxWith(hello, ["nginx", "-g", "daemon off;"], { capabilities: new Set(["CHOWN"]) });
    const log = told(made.stderr.text());
    expect(log).toContain("[emerg] 2#2: setgid(101) failed (1: Operation not permitted)");
    expect(log).toContain("[alert] 1#1: worker process 2 exited with fatal code 2 and cannot be respawned");
    expect(made.pidNamespace.infos().length).toBe(1);
  });
});
