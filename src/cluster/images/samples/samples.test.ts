import { describe, expect, it } from "vitest";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { reportOf } from "./hey-report.ts";
import { sampleImages } from "./image.ts";

const sampleMachine = (repository: string) =>
  imageMachine(sampleImages.find((each) => each.repository.endsWith(repository)) as Image);

describe("stress", () => {
  it("takes memory and processor time as it is told, in processes of its own", () => {
    const { serve, simulation, kernel, pidNamespace, log } = sampleMachine("stress");
    const handle = serve("/usr/local/bin/stress", "--vm", "1", "--vm-bytes", "150M", "--vm-hang", "1", "--cpu", "2", "-t", "10s");
    simulation.advance(5000);
    const infos = pidNamespace.infos().filter(({ name }) => name === "stress");
    expect(infos.map(({ memoryBytes, cpuMs }) => [Math.round(memoryBytes / 2 ** 20), Math.round(cpuMs / 1000)])).toEqual([
      [1, 0],
      [1, 5],
      [1, 5],
      [151, 0],
    ]);
    simulation.advance(6000);
    expect(handle.exit?.code).toBe(0);
    expect(kernel.backing.memory.usedBytes).toBe(0);
    expect(log.text()).toBe(
      "stress: info: [2] dispatching hogs: 2 cpu, 0 io, 1 vm, 0 hdd\nstress: info: [2] successful run completed in 10s\n",
    );
  });

  it("fails when a worker is killed for want of memory", () => {
    const made = sampleMachine("stress");
    const group = made.kernel.createControlGroup({ memoryBytes: 100 * 2 ** 20 });
    const ended = made.start("/usr/local/bin/stress", {
      argv: ["stress", "--vm", "1", "--vm-bytes", "250M", "--vm-hang", "1"],
      controlGroup: group,
      stdout: made.log.sink,
      stderr: made.log.sink,
    });
    made.simulation.advance(2000);
    expect(ended.exit?.code).toBe(1);
    expect(made.log.text()).toBe(`stress: info: [2] dispatching hogs: 0 cpu, 0 io, 1 vm, 0 hdd
stress: FAIL: [2] (415) <-- worker 3 got signal 9
stress: WARN: [2] (417) now reaping child worker processes
stress: FAIL: [2] (451) failed run completed in 0s
`);
  });

  it.each([
    ["--foo", "stress: FAIL: [2] (244) unrecognized option: --foo\n"],
    ["--cpu", "stress: FAIL: [2] (244) missing argument to option '--cpu'\n"],
    ["--io 1", "stress: FAIL: [2] (244) option --io is not supported here\n"],
    ["--vm 1 --vm-bytes 10x", "stress: FAIL: [2] (244) unrecognized suffix: x\n"],
  ])("stress %s", (words, stderr) => {
    expect(sampleMachine("stress").runProgram("/usr/local/bin/stress", ...words.split(" "))).toEqual({
      stdout: "",
      stderr,
      code: 1,
    });
  });
});

describe("perl", () => {
  it("prints π, after the time that it takes", () => {
    const { runProgram, simulation } = sampleMachine("perl");
    const before = simulation.nowMs;
    const { stdout, code } = runProgram("/usr/local/bin/perl", "-Mbignum=bpi", "-wle", "print bpi(2000)");
    expect([stdout.length, stdout.slice(0, 22), stdout.slice(-11), code]).toEqual([
      2002,
      "3.14159265358979323846",
      "4780275901\n",
      0,
    ]);
    expect(simulation.nowMs - before).toBeGreaterThanOrEqual(5000);
    expect(runProgram("/usr/local/bin/perl", "-Mbignum=bpi", "-we", "print bpi(10)").stdout).toBe("3.141592654");
  });

  it("says that it does nothing else", () => {
    expect(sampleMachine("perl").runProgram("/usr/local/bin/perl", "-e", "print 1")).toEqual({
      stdout: "",
      stderr: "perl: this perl runs nothing but -Mbignum=bpi -wle 'print bpi(N)'\n",
      code: 2,
    });
  });
});

describe("an image without a shell", () => {
  it("has its server and nothing to look at it with", () => {
    const { serve, get, files } = sampleMachine("hello-app");
    serve("/hello-app");
    expect(get(8080, "/")).toBe("200 Hello, world!\nVersion: 1.0.0\nHostname: test\n");
    expect(files.readdir("/")).toEqual(["dev", "etc", "hello-app", "proc", "sys", "tmp"]);
  });
});

describe("a Go program as a container's first process", () => {
  it.each([
    ["hello-app", ["/hello-app"]],
    ["whoami", ["/whoami"]],
  ] as const)("%s ends with 2 on TERM, and by the signal where the kernel lets it", (repository, argv) => {
    const { start, kernel, simulation } = sampleMachine(repository);
    const ends = [kernel.createPidNamespace(), undefined].map((pidNamespace) => {
      const handle = start(argv[0], {
        argv,
        env: new Map([["PORT", "8080"]]),
        ...(pidNamespace === undefined ? {} : { pidNamespace }),
      });
      simulation.advance(100);
      handle.signal("TERM");
      simulation.advance(10);
      return handle.exit?.code;
    });
    expect(ends).toEqual([2, 143]);
  });
});

describe("whoami", () => {
  it("says who it is and what it was asked", () => {
    const { serve, get, log } = sampleMachine("whoami");
    serve("/whoami", "--port=8080", "-name", "first");
    expect(get(8080, "/a?b=c").replace(/:\d+\n/u, ":PORT\n")).toBe(
      "200 Name: first\nHostname: test\nIP: 127.0.0.1\nRemoteAddr: 127.0.0.1:PORT\nGET /a?b=c HTTP/1.1\r\nHost: \r\nUser-Agent: Go-http-client/1.1\r\n\r\n",
    );
    expect(get(8080, "/?env=true")).toMatch(/\r\n\r\nPATH=\S+\n$/u);
    expect(get(8080, "/api").replace(/:\d+"\}/u, ':PORT"}')).toBe(
      '200 {"hostname":"test","ip":["127.0.0.1"],"headers":{},"url":"/api","method":"GET","name":"first","remoteAddr":"127.0.0.1:PORT"}\n',
    );
    expect([get(8080, "/bench"), get(8080, "/health"), get(8080, "/data")]).toEqual([
      "200 1",
      "200 ",
      "501 /data is not supported here\n",
    ]);
    expect(log.text()).toBe("2026/01/01 00:00:00 Starting up on port 8080\n");
  });

  it("waits as long as it is asked to, and meanwhile answers others", () => {
    const { serve, get, simulation } = sampleMachine("whoami");
    serve("/whoami");
    const beganMs = simulation.nowMs;
    expect(get(80, "/?wait=soon")).toContain("Hostname: test");
    expect(simulation.nowMs - beganMs).toBeLessThan(100);
    expect(get(80, "/?wait=1500ms")).toContain("Hostname: test");
    expect(simulation.nowMs - beganMs).toBeGreaterThanOrEqual(1500);
  });

  it("is as healthy as it was told to be", () => {
    const { serve, get, post, log } = sampleMachine("whoami");
    serve("/whoami");
    expect([post(80, "/health", "503"), get(80, "/health"), post(80, "/health", "")]).toEqual(["200 ", "503 ", "400 EOF\n"]);
    expect(log.text()).toContain("Update health check status code [503]\n");
  });

  it.each([
    ["--foo", 2, "flag provided but not defined: -foo\nUsage of /whoami:\n  -cacert string\n"],
    ["--cert=a", 2, "-cert is not supported here\n"],
    [
      "--port=web",
      1,
      "2026/01/01 00:00:00 Starting up on port web\n2026/01/01 00:00:00 listen tcp: lookup tcp/web: unknown port\n",
    ],
  ])("whoami %s", (word, code, words) => {
    const ran = sampleMachine("whoami").runProgram("/whoami", word);
    expect([ran.code, ran.stderr.slice(0, words.length)]).toEqual([code, words]);
  });
});

describe("hpa-example", () => {
  it("computes before it answers, as long as its page says", () => {
    const { serve, get, simulation, kernel, log } = sampleMachine("hpa-example");
    serve("/usr/local/bin/apache2-foreground");
    const beganMs = simulation.nowMs;
    expect(get(80, "/")).toBe("200 OK!");
    expect(simulation.nowMs - beganMs).toBe(61);
    expect(get(80, "/none.php")).toContain("404 <!DOCTYPE HTML");
    expect(simulation.nowMs - beganMs).toBe(61);
    expect(kernel.backing.memory.usedBytes).toBe(0);
    expect(log.text().split("\n").at(-3)).toBe('127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 3 "-" "-"');
  });
});

describe("hey", () => {
  it.each([
    [[], 1, "Usage: hey [options...] <url>"],
    [["-n", "0", "http://a"], 1, "-n and -c cannot be smaller than 1."],
    [["-n", "5", "-c", "6", "http://a"], 1, "-n cannot be less than -c."],
    [["-z", "1s", "-c", "0", "http://a"], 1, "-c cannot be smaller than 1."],
    [["-z", "soon", "http://a"], 2, 'invalid value "soon" for flag -z: parse error'],
    [["-k", "http://a"], 2, "flag provided but not defined: -k"],
    [["-H", "nonsense", "http://a"], 1, "could not parse the provided input; input = nonsense"],
    [["-x", "proxy:80", "http://a"], 1, "-x is not supported here"],
  ])("refuses %j", (words, code, line) => {
    const { runProgram } = sampleMachine("hey");
    const ran = runProgram("/hey", ...words);
    expect([ran.code, ran.stdout, ran.stderr.split("\n")[0]]).toEqual([code, "", line]);
  });

  it("prints a summary with histogram, percentiles and statuses", () => {
    const answers = Array.from({ length: 20 }, (_, index) => ({
      status: index === 19 ? 503 : 200,
      size: 10,
      total: (index + 1) / 100,
      connection: 0.002,
      dns: 0.001,
      write: 0,
      delay: (index + 1) / 100 - 0.002,
      read: 0,
      offset: 0,
    }));
    expect(reportOf([...answers, { error: "EOF" }], 2100, false)).toBe(`
Summary:
  Total:\t2.1000 secs
  Slowest:\t0.2000 secs
  Fastest:\t0.0100 secs
  Average:\t0.1050 secs
  Requests/sec:\t10.0000
  ${""}
  Total data:\t200 bytes
  Size/request:\t10 bytes

Response time histogram:
  0.010 [1]\t|■■■■■■■■■■■■■■■■■■■■
  0.029 [1]\t|■■■■■■■■■■■■■■■■■■■■
  0.048 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.067 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.086 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.105 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.124 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.143 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.162 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.181 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■
  0.200 [2]\t|■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■


Latency distribution:
  10%% in 0.0300 secs
  25%% in 0.0600 secs
  50%% in 0.1100 secs
  75%% in 0.1600 secs
  90%% in 0.1900 secs
  95%% in 0.2000 secs
  0%% in 0.0000 secs

Details (average, fastest, slowest):
  DNS+dialup:\t0.0020 secs, 0.0020 secs, 0.0020 secs
  DNS-lookup:\t0.0010 secs, 0.0010 secs, 0.0010 secs
  req write:\t0.0000 secs, 0.0000 secs, 0.0000 secs
  resp wait:\t0.1030 secs, 0.0080 secs, 0.1980 secs
  resp read:\t0.0000 secs, 0.0000 secs, 0.0000 secs

Status code distribution:
  [200]\t19 responses
  [503]\t1 responses

Error distribution:
  [1]\tEOF

`);
  });
});
