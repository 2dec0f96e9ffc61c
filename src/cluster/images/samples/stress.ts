// stress 1.0.4: workers that take processor time and memory as its arguments say, each a process of its own.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";

const usage = `\`stress' imposes certain types of compute stress on your system

Usage: stress [OPTION [ARG]] ...
 -?, --help         show this help statement
     --version      show version statement
 -v, --verbose      be verbose
 -q, --quiet        be quiet
 -n, --dry-run      show what would have been done
 -t, --timeout N    timeout after N seconds
     --backoff N    wait factor of N microseconds before work starts
 -c, --cpu N        spawn N workers spinning on sqrt()
 -i, --io N         spawn N workers spinning on sync()
 -m, --vm N         spawn N workers spinning on malloc()/free()
     --vm-bytes B   malloc B bytes per vm worker (default is 256MB)
     --vm-stride B  touch a byte every B bytes (default is 4096)
     --vm-hang N    sleep N secs before free (default none, 0 is inf)
     --vm-keep      redirty memory instead of freeing and reallocating
 -d, --hdd N        spawn N workers spinning on write()/unlink()
     --hdd-bytes B  write B bytes per hdd worker (default is 1GB)

Example: stress --cpu 8 --io 4 --vm 2 --vm-bytes 128M --timeout 10s

Note: Numbers may be suffixed with s,m,h,d,y (time) or B,K,M,G (size).
`;

interface Settings {
  cpu: number;
  vm: number;
  vmBytes: number;
  /** Seconds; undefined: not at all, 0: for ever. */
  vmHang: number | undefined;
  keeps: boolean;
  timeout: number;
  quiet: boolean;
  dryRun: boolean;
}

const megabyte = 1024 ** 2;
/** Writing to a page: a quarter of a microsecond. */
const pagesPerUnit = 4;
const pageBytes = 4096;

class Failure extends Error {}

const timeUnits: { readonly [suffix: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_556_925 };
const sizeUnits: { readonly [suffix: string]: number } = { B: 1, K: 1024, M: megabyte, G: 1024 ** 3 };

function readNumber(text: string, units: { readonly [suffix: string]: number }): number {
  const match = /^(-?\d*)(.?)/u.exec(text);
  const suffix = (match?.[2] ?? "").toString();
  const factor = units[suffix] ?? units[asciiLowerCase(suffix)] ?? units[asciiUpperCase(suffix)];
  if (suffix !== "" && factor === undefined) throw new Failure(`unrecognized suffix: ${suffix}`);
  const value = Number(match?.[1] ?? "0") * (factor ?? 1);
  if (value < 0) throw new Failure(`invalid number: ${text}`);
  return value;
}

function readArguments(argv: readonly string[]): Settings | "usage" | "version" {
  const settings: Settings = {
    cpu: 0,
    vm: 0,
    vmBytes: 256 * megabyte,
    vmHang: undefined,
    keeps: false,
    timeout: 0,
    quiet: false,
    dryRun: false,
  };
  const words = argv.slice(1);
  if (words.length === 0) return "usage";
  while (words.length > 0) {
    const word = words.shift() as string;
    const value = (): string => {
      const next = words.shift();
      if (next === undefined) throw new Failure(`missing argument to option '${word}'`);
      return next;
    };
    if (word === "-?" || word === "--help") return "usage";
    if (word === "--version") return "version";
    if (word === "-q" || word === "--quiet") settings.quiet = true;
    else if (word === "-n" || word === "--dry-run") settings.dryRun = true;
    else if (word === "-t" || word === "--timeout") settings.timeout = readNumber(value(), timeUnits);
    else if (word === "-c" || word === "--cpu") settings.cpu = readNumber(value(), {});
    else if (word === "-m" || word === "--vm") settings.vm = readNumber(value(), {});
    else if (word === "--vm-bytes") settings.vmBytes = readNumber(value(), sizeUnits);
    else if (word === "--vm-hang") settings.vmHang = readNumber(value(), timeUnits);
    else if (word === "--vm-keep") settings.keeps = true;
    else if (/^(?:-v|-i|-d|--verbose|--io|--hdd|--hdd-bytes|--vm-stride|--backoff)$/u.test(word))
      throw new Failure(`option ${word} is not supported here`);
    else throw new Failure(`unrecognized option: ${word}`);
  }
  return settings;
}

/** Spins for ever. */
function* spin(self: Process): Sys<number> {
  self.declareUse({ cpuMillicores: 1000 });
  for (;;) yield* self.sleep(1e9);
}

/** Takes memory, writes to all of it, keeps it for a while and gives it back, again and again. */
function memoryWorker({ vmBytes, vmHang, keeps }: Settings): Program {
  return function* (self) {
    for (let isHeld = false; ; ) {
      // No byte of it is ever looked at: the world need not keep them.
      if (!isHeld) self.holdMemory(vmBytes, 0);
      isHeld = true;
      self.spend(Math.ceil(vmBytes / pageBytes / pagesPerUnit));
      yield* self.breathe();
      if (vmHang === undefined) {
        self.declareUse({ cpuMillicores: 1000 });
        yield* self.sleep(1e9);
      } else yield* self.sleep(vmHang === 0 ? 1e9 : vmHang * 1000);
      if (keeps) continue;
      self.holdMemory(-vmBytes, 0);
      isHeld = false;
    }
  };
}

export const stress: Program = function* (self) {
  const failed = (line: number, text: string) => self.write(2, `stress: FAIL: [${self.pid}] (${line}) ${text}\n`);
  let settings: ReturnType<typeof readArguments>;
  try {
    settings = readArguments(self.argv);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield* failed(244, error.message);
    return 1;
  }
  if (settings === "usage" || settings === "version") {
    yield* self.write(1, settings === "usage" ? usage : "stress 1.0.4\n");
    return 0;
  }
  const { cpu, vm, timeout, quiet } = settings;
  const say = function* (text: string): Sys<void> {
    if (!quiet) yield* self.write(1, `stress: info: [${self.pid}] ${text}\n`);
  };
  if (cpu + vm === 0) {
    yield* self.write(1, usage);
    return 0;
  }
  yield* say(`dispatching hogs: ${cpu} cpu, 0 io, ${vm} vm, 0 hdd`);
  if (settings.dryRun) return 0;
  const began = self.nowMs;
  const workers = new Set<number>();
  const start = (run: Program) => workers.add(self.spawn({ run, argv: self.argv }));
  for (let count = 0; count < cpu; count += 1) start(spin);
  for (let count = 0; count < vm; count += 1) start(memoryWorker(settings));
  if (timeout > 0) {
    self.startThread(function* () {
      yield* self.sleep(timeout * 1000);
      for (const pid of workers) self.kill(pid, "ALRM");
    });
  }
  const seconds = () => `${Math.floor((self.nowMs - began) / 1000)}s`;
  let isFailed = false;
  while (workers.size > 0) {
    const ended = yield* self.wait(-1);
    if (ended === undefined) continue;
    workers.delete(ended.pid);
    if (ended.signal === undefined || ended.signal === "ALRM" || isFailed) continue;
    isFailed = true;
    yield* failed(415, `<-- worker ${ended.pid} got signal ${signalNumbers[ended.signal]}`);
    yield* self.write(1, `stress: WARN: [${self.pid}] (417) now reaping child worker processes\n`);
    for (const pid of workers) {
      try {
        self.kill(pid, "TERM");
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
      }
    }
  }
  if (isFailed) {
    yield* failed(451, `failed run completed in ${seconds()}`);
    return 1;
  }
  yield* say(`successful run completed in ${seconds()}`);
  return 0;
};
