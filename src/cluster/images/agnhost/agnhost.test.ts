// agnhost's commands one by one, on a bare machine.

import { describe, expect, it } from "vitest";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { suiteImages } from "../suite-images.ts";
import { localhostCertificate } from "./localhost-pair.ts";

const image = suiteImages.find(({ repository, tag }) => repository.endsWith("/agnhost") && tag === "2.63.0") as Image;
const agnhost = (files?: FileTree) => imageMachine(image, files);

describe("agnhost", () => {
  it("says its release, and helps", () => {
    const { runProgram } = agnhost();
    expect(runProgram("/agnhost", "--version").stdout).toBe("app version 2.63.0\n");
    expect(runProgram("/agnhost", "help").stdout).toContain("  mounttest\n  netexec\n");
    expect(runProgram("/agnhost", "serve-hostname", "--help").stdout).toBe(
      "Usage:\n  app serve-hostname [flags]\n\nFlags:\n      --close\n      --help \n      --http \n      --port  int\n      --tcp  \n      --udp  \n\n",
    );
  });

  it.each([
    ["nope", 'Error: unknown command "nope" for "app"\nRun \'app --help\' for usage.\n'],
    ["net", "Error: \"net\" is not supported here\nRun 'app --help' for usage.\n"],
    ["netexec --foo", /^Usage:\n {2}app netexec \[flags\]\n[\s\S]*\nError: unknown flag: --foo\n$/u],
    ["netexec more", "Error: accepts at most 0 arg(s), received 1\n"],
    ["netexec --sctp-port 9", "Error: --sctp-port: SCTP is not supported here\n"],
    [
      "serve-hostname --port x",
      /\nError: invalid argument "x" for "--port" flag: strconv.ParseInt: parsing "x": invalid syntax\n$/u,
    ],
    ["logs-generator -d 5", /\nError: invalid argument "5" for "-d, --run-duration" flag: time: missing unit in duration "5"\n$/u],
  ])("refuses %s", (words, stderr) => {
    const ran = agnhost().runProgram("/agnhost", ...words.split(" "));
    expect(ran).toEqual({ stdout: "", stderr: typeof stderr === "string" ? stderr : expect.stringMatching(stderr), code: 1 });
  });

  it.each([
    ["nope", "/Corefile:2 - Error during parsing: Unknown directive 'nope'\n"],
    ["forward . 8.8.8.8", "/Corefile:2 - Error during parsing: the directive 'forward' is not supported here\n"],
    ["hosts {\n1.1.1.1 a\n}", "/Corefile:5 - Error during parsing: Unexpected EOF\n"],
  ])("brings a CoreDNS, which refuses a Corefile with %j", (directive, stderr) => {
    const files: FileTree = new Map([["/Corefile", { type: "file", content: `. {\n${directive}\n` }]]);
    expect(agnhost(files).runProgram("/coredns", "-conf", "/Corefile")).toEqual({ stdout: "", stderr, code: 1 });
  });

  it("pauses until a signal comes, and says which", () => {
    for (const [signal, words, code] of [
      ["TERM", "terminated", 2],
      ["INT", "interrupt", 1],
    ] as const) {
      const { serve, simulation, log, files } = agnhost(new Map([["/dev/termination-log", { type: "file", content: "" }]]));
      const handle = serve("/agnhost", "pause");
      expect(log.text()).toBe("Paused\nSignals registered\n");
      handle.signal(signal);
      simulation.advance(10);
      const message = `exiting because of signal "${words}"\n`;
      expect([log.text(), handle.exit?.code]).toEqual([`Paused\nSignals registered\n${message}`, code]);
      expect(files.readText("/dev/termination-log")).toBe(message);
    }
  });

  it("[POD-248] liveness is healthy for ten seconds", () => {
    const { serve, get, simulation } = agnhost();
    serve("/agnhost", "liveness");
    expect([get(8080, "/healthz"), get(8080, "/started"), get(8080, "/nope")]).toEqual([
      "200 ok",
      "200 100ms",
      "404 404 page not found\n",
    ]);
    simulation.advance(10_900);
    expect(get(8080, "/healthz")).toBe("500 error: 11");
    expect(get(8080, "/redirect?loc=http%3A%2F%2F0.0.0.0%2F")).toBe('302 <a href="http://0.0.0.0/">Found</a>.\n\n');
  });
});

describe("agnhost netexec", () => {
  it("tells who asks, who answers and what was asked", () => {
    const { serve, get, ask, log } = agnhost();
    serve("/agnhost", "netexec", "--http-port=80");
    expect(get(80, "/")).toMatch(/^200 NOW: 2026-01-01 00:00:00\.1 \+0000 UTC m=\+0\.100000000$/u);
    const answers = ["/hostname", "/hostName", "/echo?msg=a+b&code=201", "/healthz", "/readyz", "/serverport"].map((each) =>
      get(80, each),
    );
    expect(answers).toEqual(["200 test", "200 test", "201 a b", "200 ", "200 ok", "200 80"]);
    expect(get(80, "/clientip")).toMatch(/^200 127\.0\.0\.1:\d+$/u);
    const headers = { host: "web", "x-forwarded-for": "10.0.0.9" };
    expect(ask(80, { target: "/header?key=X-Forwarded-For", headers })).toBe("200 10.0.0.9");
    expect(ask(80, { target: "/header", headers })).toBe('200 {"X-Forwarded-For":["10.0.0.9"]}');
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(ask(80, { method: "POST", target: "/echo", body: "msg=posted", headers: form })).toBe("200 posted");
    expect(get(80, "/echo?msg=x&code=abc")).toBe("200 argument 'code' must be an integer or empty, got \"abc\"\n");
    expect(get(80, "/redirect?location=/echo%3Fmsg=x&code=307")).toBe('307 <a href="/echo?msg=x">Temporary Redirect</a>.\n\n');
    expect(log.text().split("\n").slice(0, 3)).toEqual([
      "2026/01/01 00:00:00 Started UDP server on port  8081",
      "2026/01/01 00:00:00 Started HTTP server on port 80",
      "2026/01/01 00:00:00 GET /",
    ]);
  });

  it("answers datagrams, and asks with them", () => {
    const { serve, get } = agnhost();
    serve("/agnhost", "netexec", "--udp-listen-addresses=127.0.0.1");
    const dial = (request: string, port = 8081) => get(8080, `/dial?host=127.0.0.1&port=${port}&protocol=udp&request=${request}`);
    expect([dial("hostname"), dial("echo%20Hi%20there"), dial("serverport")]).toEqual([
      '200 {"responses":["test"]}',
      '200 {"responses":["hi there"]}',
      '200 {"responses":["8081"]}',
    ]);
    expect(dial("clientip")).toMatch(/^200 \{"responses":\["127\.0\.0\.1:\d+"\]\}$/u);
    expect(dial("hostname", 9)).toMatch(
      /^200 \{"errors":\["reading from udp connection failed\. err:'read udp 127\.0\.0\.1:\d+-\\u003e127\.0\.0\.1:9: read: connection refused'"\]\}$/u,
    );
    expect(dial("unknown")).toMatch(/: i\/o timeout'"\]\}$/u);
  });

  it("is not ready where it serves no datagrams", () => {
    const { serve, get } = agnhost();
    serve("/agnhost", "netexec", "--udp-port=-1");
    expect([get(8080, "/healthz"), get(8080, "/readyz")]).toEqual(["412 ", "412 "]);
  });

  it("runs commands", () => {
    const { serve, get, log } = agnhost();
    serve("/agnhost", "netexec");
    expect(get(8080, "/shell?cmd=echo%20hi%3B%20exit%203")).toBe('200 {"error":"exit status 3","output":"hi\\n"}');
    expect(get(8080, "/shell?shellCommand=echo%20%27%3Ca%3E%27")).toBe('200 {"output":"\\u003ca\\u003e\\n"}');
    expect(log.text()).toContain("Output: map[error:exit status 3 output:hi\n]\n");
  });

  it("calls others as often as it is asked to", () => {
    const { serve, get } = agnhost();
    serve("/agnhost", "netexec");
    const dial = (query: string) => get(8080, `/dial?${query}`);
    expect(dial("host=127.0.0.1&port=8080&request=hostname&protocol=http&tries=2")).toBe('200 {"responses":["test","test"]}');
    expect(dial("host=127.0.0.1&port=8080&request=echo%3Fmsg%3Dhi")).toBe('200 {"responses":["hi"]}');
    expect(dial("host=127.0.0.1&port=8080&request=redirect%3Flocation%3D%2Fhostname")).toBe('200 {"responses":["test"]}');
    expect(dial("host=127.0.0.1&port=9&request=hostname")).toBe(
      '200 {"errors":["Get \\"http://127.0.0.1:9/hostname\\": dial tcp 127.0.0.1:9: connect: connection refused"]}',
    );
    expect([
      dial("host=127.0.0.1&port=8080"),
      dial("host=127.0.0.1&port=8080&request=x&tries=many"),
      dial("host=127.0.0.1&port=8080&request=x&protocol=ftp"),
    ]).toEqual([
      "400 request parameter not specified. <nil>\n",
      '400 tries parameter is invalid. strconv.Atoi: parsing "many": invalid syntax\n',
      "400 unsupported protocol. ftp\n",
    ]);
  });

  it("keeps what is uploaded, executable", () => {
    const { serve, ask, files, runProgram } = agnhost();
    serve("/agnhost", "netexec");
    const body = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.sh"\r\n\r\n#!/bin/sh\necho up\n\r\n--xx--\r\n';
    const answer = ask(8080, {
      method: "POST",
      target: "/upload",
      body,
      headers: { "content-type": "multipart/form-data; boundary=xx" },
    });
    const [, path = ""] = /^201 \{"output":"(\/uploads\/upload\d+)"\}$/u.exec(answer) ?? [];
    expect(files.readText(path)).toBe("#!/bin/sh\necho up\n");
    expect(runProgram(path).stdout).toBe("up\n");
    expect(ask(8080, { method: "POST", target: "/upload", body: "x" })).toBe('200 {"error":"Unable to upload file."}');
  });

  it("ends as it is told: with a code after a wait, on TERM with 0 after a delay", () => {
    const told = agnhost();
    const exiting = told.serve("/agnhost", "netexec");
    told.get(8080, "/exit?code=3&wait=2s");
    told.simulation.advance(3000);
    expect(exiting.exit?.code).toBe(3);
    const delayed = agnhost();
    const handle = delayed.serve("/agnhost", "netexec", "--delay-shutdown", "5");
    handle.signal("TERM");
    delayed.simulation.advance(4000);
    expect([delayed.get(8080, "/readyz"), delayed.get(8080, "/healthz"), handle.exit]).toEqual([
      "503 shutting down",
      "200 ",
      undefined,
    ]);
    delayed.simulation.advance(2000);
    expect(handle.exit?.code).toBe(0);
  });

  it("serves one answer whatever is asked, over TLS when it has a certificate", () => {
    const { serve, ask, runProgram } = agnhost();
    serve(
      "/agnhost",
      "netexec",
      "--http-override=/echo?msg=same",
      "--tls-cert-file=/localhost.crt",
      "--tls-private-key-file=/localhost.key",
    );
    const tls = { serverName: "127.0.0.1", authorities: readCertificates(localhostCertificate) };
    expect(ask(8080, { target: "/hostname" }, { tls })).toBe("200 same");
    const ran = runProgram(
      "/agnhost",
      "netexec",
      "--http-port=81",
      "--udp-port=-1",
      "--tls-cert-file=/nope",
      "--tls-private-key-file=/localhost.key",
    );
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("open /nope: no such file or directory\n")]);
  });
});

describe("agnhost mounttest", () => {
  const directory = (permissions: number): TreeEntry => ({ type: "directory", permissions });

  it("writes a file and tells what is known of it, in one order", () => {
    const { runProgram } = agnhost(new Map([["/test-volume", directory(0o1777)]]));
    const ran = runProgram(
      "/agnhost",
      "mounttest",
      "--file_perm=/test-volume/a",
      "--fs_type=/test-volume",
      "--new_file_0660=/test-volume/a",
    );
    expect(ran).toEqual({
      code: 0,
      stderr: "",
      stdout:
        'mount type of "/test-volume": 61267\ncontent of file "/test-volume/a": mount-tester new file\n\nperms of file "/test-volume/a": -rw-rw----\n',
    });
  });

  it("tells modes as Go does, and owners", () => {
    const files = new Map<string, TreeEntry>([
      ["/sticky", directory(0o1777)],
      ["/group", directory(0o2775)],
      ["/own", { type: "file", content: "x\n", permissions: 0o400, uid: 1001, gid: 123 }],
    ]);
    const { runProgram } = agnhost(files);
    const told = (...flags: readonly string[]) => runProgram("/agnhost", "mounttest", ...flags).stdout;
    expect([told("--file_mode=/sticky"), told("--file_mode=/group"), told("--file_mode=/own")]).toEqual([
      'mode of file "/sticky": dtrwxrwxrwx\n',
      'mode of file "/group": dgrwxrwxr-x\n',
      'mode of file "/own": -r--------\n',
    ]);
    expect(told("--file_owner=/own", "--file_content", "/own")).toBe(
      'owner UID of "/own": 1001\nowner GID of "/own": 123\ncontent of file "/own": x\n\n',
    );
  });

  it("says what fails, goes on, and ends with 1", () => {
    const { runProgram } = agnhost();
    expect(runProgram("/agnhost", "mounttest", "--file_content=/nope", "--file_mode=/nope", "--file_owner=/nope")).toEqual({
      code: 1,
      stderr: "",
      stdout:
        'error from Stat("/nope"): stat /nope: no such file or directory\nerror from stat("/nope"): no such file or directory\nerror reading file content for "/nope": open /nope: no such file or directory\n',
    });
  });

  it("reads a file again and again until it is the expected one, or as long as it is told", () => {
    const files = new Map<string, TreeEntry>([["/f", { type: "file", content: "other" }]]);
    const { runProgram, simulation } = agnhost(files);
    const beganMs = simulation.nowMs;
    const ran = runProgram(
      "/agnhost",
      "mounttest",
      "--break_on_expected_content=false",
      "--retry_time=5",
      "--file_content_in_loop=/f",
    );
    expect(ran).toEqual({ code: 0, stderr: "", stdout: 'content of file "/f": other\n'.repeat(3) });
    expect(simulation.nowMs - beganMs).toBe(6000);
    expect(runProgram("/agnhost", "mounttest", "--retry_time=1", "--file_content_in_loop=/none").code).toBe(1);
  });
});

describe("agnhost's other servers and printers", () => {
  it("serve-hostname answers over HTTP or TCP, and lingers after TERM", () => {
    const http = agnhost();
    const handle = http.serve("/agnhost", "serve-hostname");
    expect(http.get(9376, "/")).toBe("200 test");
    handle.signal("TERM");
    http.simulation.advance(59_000);
    expect([http.get(9376, "/"), handle.exit]).toEqual(["200 test", undefined]);
    http.simulation.advance(2000);
    expect(handle.exit?.code).toBe(0);
    const tcp = agnhost();
    tcp.serve("/agnhost", "serve-hostname", "--tcp", "--http=false");
    expect(tcp.runProgram("/bin/sh", "-c", "nc -w 1 127.0.0.1 9376 </dev/null").stdout).toBe("test");
    expect(agnhost().runProgram("/agnhost", "serve-hostname", "--tcp").code).toBe(1);
    const udp = agnhost();
    udp.serve("/agnhost", "serve-hostname", "--udp", "--http=false");
    expect(udp.runProgram("/bin/sh", "-c", "echo x | nc -u -w 1 127.0.0.1 9376").stdout).toBe("test");
  });

  it("test-webserver serves files as Go does", () => {
    const { serve, get, ask } = agnhost(new Map([["/data/site/index.html", { type: "file", content: "<p>hi</p>" }]]));
    serve("/agnhost", "test-webserver", "--port", "81");
    expect(["/home", "/nope", "/data/site/", "/data/site/index.html", "/data/"].map((each) => get(81, each))).toEqual([
      "301 ",
      "404 404 page not found\n",
      "200 <p>hi</p>",
      "301 ",
      '200 <!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="site/">site/</a>\n</pre>\n',
    ]);
    expect(ask(81, { method: "HEAD", target: "/etc/hostname" })).toBe("200 ");
  });

  it("logs-generator spreads its lines evenly", () => {
    const logs = agnhost().runProgram("/agnhost", "logs-generator", "-t", "3", "-d", "1m");
    expect(logs.stderr.split("\n").map((line) => line.replace(/(GET|POST|PUT) \S+ \d+$/u, "…"))).toEqual([
      "I0101 00:00:00.000000       2 logs_generator.go:75] 0 …",
      "I0101 00:00:20.000000       2 logs_generator.go:75] 1 …",
      "I0101 00:00:40.000000       2 logs_generator.go:75] 2 …",
      "",
    ]);
    expect(agnhost().runProgram("/agnhost", "logs-generator").code).toBe(255);
  });

  it("prints its command line, resolv.conf and hosts", () => {
    const files = new Map<string, TreeEntry>([
      ["/etc/resolv.conf", { type: "file", content: "nameserver 10.96.0.10\nsearch a.svc.cluster.local cluster.local\n" }],
      ["/etc/hosts", { type: "file", content: "127.0.0.1 localhost\n" }],
    ]);
    const { runProgram } = agnhost(files);
    const printed = (...words: readonly string[]) => runProgram(...words).stdout;
    expect(printed("/agnhost-2", "entrypoint-tester", "override", "arguments")).toBe(
      "[/agnhost-2 entrypoint-tester override arguments]\n",
    );
    expect(printed("/agnhost", "dns-suffix")).toBe("a.svc.cluster.local,cluster.local\n");
    expect(printed("/agnhost", "dns-server-list")).toBe("10.96.0.10\n");
    expect(printed("/agnhost", "etc-hosts")).toBe("127.0.0.1 localhost\n\n");
    expect(printed("/agnhost", "nonewprivs")).toBe("Effective uid: 0\n");
  });

  it.each([
    ["test-webserver", [2, 143]],
    ["liveness", [2, 143]],
    ["netexec", [0, 0]],
  ])("%s ends on TERM as its program says, or as every Go program does", (command, codes) => {
    const { start, kernel, simulation } = agnhost();
    const ends = [kernel.createPidNamespace(), undefined].map((pidNamespace) => {
      const handle = start("/agnhost", { argv: ["/agnhost", command], ...(pidNamespace === undefined ? {} : { pidNamespace }) });
      simulation.advance(100);
      handle.signal("TERM");
      simulation.advance(10);
      return handle.exit?.code;
    });
    expect(ends).toEqual(codes);
  });
});

describe("agnhost guestbook", () => {
  it("keeps texts, and gives a replica what it has and what comes", () => {
    const { serve, get, simulation } = agnhost();
    serve("/agnhost", "guestbook", "--http-port", "6379", "--backend-port", "6380");
    expect(get(6379, "/set?key=a&value=1")).toBe('200 {"message":"Updated"}');
    // Its own port is where it propagates to.
    serve("/agnhost", "guestbook", "--http-port", "6380", "--backend-port", "6379", "--replicaof", "127.0.0.1");
    simulation.advance(1000);
    expect([get(6380, "/get?key=a"), get(6380, "/get"), get(6380, "/get?key=none")]).toEqual([
      '200 {"data":"1"}',
      '200 {"data":{"a":"1"}}',
      '200 {"data":""}',
    ]);
    expect(get(6379, "/set?key=messages&value=b")).toBe('200 {"message":"Updated"}');
    expect(get(6380, "/get?key=messages")).toBe('200 {"data":"b"}');
    expect([get(6379, "/set?value=x"), get(6379, "/guestbook?cmd=drop")]).toEqual([
      "400 cannot set with empty key.\n",
      "400 unsupported cmd: 'drop'\n",
    ]);
  });

  it("reaches its store by name, and gives up registering after 15 seconds", () => {
    const hosts: TreeEntry = { type: "file", content: "127.0.0.1 agnhost-primary agnhost-replica\n" };
    const front = agnhost(new Map([["/etc/hosts", hosts]]));
    front.serve("/agnhost", "guestbook", "--http-port", "6379");
    front.serve("/agnhost", "guestbook");
    expect(front.get(80, "/guestbook?cmd=set&key=messages&value=TestEntry")).toBe('200 {"message":"Updated"}');
    expect(front.get(80, "/guestbook?cmd=get&key=messages&value=")).toBe('200 {"data":"TestEntry"}');
    const alone = agnhost().runProgram("/agnhost", "guestbook", "--replicaof", "127.0.0.1");
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringMatching(/Timed out while registering to primary\.\n$/u)]);
  });
});

describe("agnhost porter", () => {
  it("serves what its environment says, over HTTP, TLS and UDP", () => {
    const { serve, get, ask, env, log, runProgram } = agnhost();
    const wanted = {
      SERVE_PORT_80: '<a href="/rewriteme">test</a>',
      SERVE_TCP_PORT_81: "tcp",
      SERVE_TLS_PORT_443: "tls",
      SERVE_UDP_PORT_82: "u",
    };
    for (const [name, value] of Object.entries(wanted)) env.set(name, value);
    serve("/agnhost", "porter");
    expect([get(80, "/any"), get(81, "/")]).toEqual(['200 <a href="/rewriteme">test</a>', "200 tcp"]);
    expect(ask(443, { target: "/" }, { tls: { serverName: "127.0.0.1" } })).toBe("200 tls");
    expect(runProgram("/agnhost", "connect", "--protocol=udp", "--timeout=1s", "127.0.0.1:82").code).toBe(0);
    expect(log.text()).toBe("2026/01/01 00:00:00 Started UDP server on port 82\n");
  });

  it("says in JSON how it was asked", () => {
    const { serve, post, env } = agnhost();
    env.set("SERVE_PORT_80", "foo");
    serve("/agnhost", "porter", "--json-response");
    expect(post(80, "/x", "y")).toBe('200 {"Method":"POST","Body":"foo"}');
  });
});
