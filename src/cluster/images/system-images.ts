// Images of the cluster's own components. What a component does is given by the composition root as a function that starts
// it; its container's process parks until it is told to stop, and stops the component with it, however it ends.

import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { TreeEntry } from "#sim/files.ts";
import type { HttpHandler } from "#sim/http.ts";
import { lateProgram } from "#sim/late-programs.ts";
import type { TlsServer } from "#sim/net.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image } from "./image.ts";
import { scratchFiles } from "./linux-files.ts";

/** Ends a component's process from within, with a last text on stderr. */
export type Exit = (code: number, text?: string) => void;

/**
 * Starts a component on behalf of its container's process; `stop` is called when that ends, also by KILL. `exit` is for a
 * component that cannot start or go on; it may be called at once. `tag`: of the image. Throws StartFailure.
 */
export type StartPart = (self: Process, exit: Exit, tag: string) => Part;

export interface Part {
  stop(): void;
  /** Told to end it goes on until it calls `done`, and is stopped then; by default at once. */
  terminate?(done: () => void): void;
  /** What a health check answers with status 503, if it fails. */
  unready?(path: string): string | undefined;
  /** What its port answers beside `ok`; `counts`: how often each of the health checks was asked for. */
  readonly serve?: (counts: ReadonlyMap<string, number>, ...exchange: Parameters<HttpHandler>) => void;
}

/** A component that cannot start as it was told to: `message` goes to its stderr, and it ends with exit code 1. */
export class StartFailure extends Error {}

/** A component without a part only parks and answers its health checks. */
export interface SystemParts {
  readonly startEtcd?: StartPart;
  /** Serves its port (6443), health checks included, by itself. */
  readonly startApiServer?: StartPart;
  readonly startControllerManager?: StartPart;
  readonly startScheduler?: StartPart;
  readonly startProxy?: StartPart;
  readonly startCoreDns?: StartPart;
  /** Serves its port by itself, too. */
  readonly startMetricsServer?: StartPart;
  readonly startLocalPathProvisioner?: StartPart;
}

interface HealthPort {
  readonly port: number;
  readonly secure: boolean;
  readonly paths: readonly string[];
  /** Answer of the kube-proxy and CoreDNS kind. Default `ok`. */
  readonly body?: string;
}

/** One with health checks, whose program runs a part. */
interface PartImage {
  readonly repository: string;
  readonly tags: readonly string[];
  readonly program: string;
  readonly sizeBytes: number;
  readonly memoryBytes: number;
  readonly cpuMillicores: number;
  readonly health: readonly HealthPort[];
  /** Further programs beside it. */
  readonly tools?: readonly string[];
}

interface Component extends PartImage {
  readonly part: keyof SystemParts;
}

const kubernetesTags = ["v1.36.0", "v1.35.0"];
const mebibyte = 1_048_576;
/** TERM lets a component finish what it does. */
const shutdownMs = 200;

const components: readonly Component[] = [
  {
    repository: "registry.k8s.io/kube-apiserver",
    tags: kubernetesTags,
    program: "/usr/local/bin/kube-apiserver",
    sizeBytes: 27_069_180,
    memoryBytes: 260 * mebibyte,
    cpuMillicores: 40,
    health: [],
    part: "startApiServer",
  },
  {
    repository: "registry.k8s.io/kube-controller-manager",
    tags: kubernetesTags,
    program: "/usr/local/bin/kube-controller-manager",
    sizeBytes: 22_819_474,
    memoryBytes: 58 * mebibyte,
    cpuMillicores: 14,
    health: [{ port: 10257, secure: true, paths: ["/healthz"] }],
    part: "startControllerManager",
  },
  {
    repository: "registry.k8s.io/kube-scheduler",
    tags: kubernetesTags,
    program: "/usr/local/bin/kube-scheduler",
    sizeBytes: 17_382_979,
    memoryBytes: 24 * mebibyte,
    cpuMillicores: 6,
    health: [{ port: 10259, secure: true, paths: ["/healthz", "/livez", "/readyz"] }],
    part: "startScheduler",
  },
  {
    repository: "registry.k8s.io/etcd",
    tags: ["3.6.6-0", "3.6.5-0", "3.6.4-0"],
    program: "/usr/local/bin/etcd",
    sizeBytes: 23_641_797,
    memoryBytes: 44 * mebibyte,
    cpuMillicores: 18,
    health: [{ port: 2381, secure: false, paths: ["/health", "/livez", "/readyz"] }],
    part: "startEtcd",
    tools: ["etcdctl", "etcdutl"],
  },
  {
    repository: "registry.k8s.io/kube-proxy",
    tags: kubernetesTags,
    program: "/usr/local/bin/kube-proxy",
    sizeBytes: 25_963_718,
    memoryBytes: 20 * mebibyte,
    cpuMillicores: 1,
    health: [],
    part: "startProxy",
  },
  {
    repository: "registry.k8s.io/coredns/coredns",
    tags: ["v1.13.1", "v1.12.1", "v1.14.0"],
    program: "/coredns",
    sizeBytes: 22_384_805,
    memoryBytes: 14 * mebibyte,
    cpuMillicores: 2,
    health: [
      { port: 8080, secure: false, paths: ["/health"], body: "OK" },
      { port: 8181, secure: false, paths: ["/ready"], body: "OK" },
    ],
    part: "startCoreDns",
  },
  {
    repository: "registry.k8s.io/metrics-server/metrics-server",
    tags: ["v0.8.0", "v0.7.2"],
    program: "/metrics-server",
    sizeBytes: 22_541_749,
    memoryBytes: 18 * mebibyte,
    cpuMillicores: 3,
    health: [],
    part: "startMetricsServer",
  },
  {
    repository: "docker.io/rancher/local-path-provisioner",
    tags: ["v0.0.32"],
    program: "/usr/bin/local-path-provisioner",
    sizeBytes: 18_584_855,
    memoryBytes: 14 * mebibyte,
    cpuMillicores: 1,
    health: [],
    part: "startLocalPathProvisioner",
  },
];

/** Probes, which come before what else it answers has been loaded, are answered at once. */
function healthHandler({ paths, body = "ok" }: HealthPort, part: () => Part | undefined): HttpHandler {
  const text = encodeUtf8(body);
  const headers = { "content-type": "text/plain; charset=utf-8" };
  const counts = new Map<string, number>();
  return (...exchange) => {
    const [{ target }, , responder] = exchange;
    const path = target.split("?", 1)[0] as string;
    const isHealth = paths.includes(path);
    if (isHealth) counts.set(path, (counts.get(path) ?? 0) + 1);
    const fault = part()?.unready?.(path);
    const serve = isHealth && path === target ? undefined : part()?.serve;
    if (fault !== undefined) responder.reply(503, headers, encodeUtf8(fault));
    else if (serve !== undefined) serve(counts, ...exchange);
    else if (isHealth) responder.reply(200, headers, text);
    else responder.reply(404, headers, encodeUtf8("404 page not found\n"));
  };
}

function certificateOf(self: Process): TlsServer {
  const names = ["localhost", self.hostname, ...self.addresses()];
  return {
    certificate: {
      commonName: `${self.hostname}@1`,
      organizations: [],
      alternativeNames: names,
      issuer: `${self.hostname}-ca@1`,
      notBeforeMs: 0,
      notAfterMs: Number.MAX_SAFE_INTEGER,
    },
  };
}

/** `--secure-port=10259` and its like; a port of 0 is none. */
function flagPort(argv: readonly string[], fallback: number): number {
  const flag = argv.find((each) => each.startsWith("--secure-port="));
  return flag === undefined ? fallback : Number(flag.slice("--secure-port=".length));
}

function programOf(component: PartImage, start: StartPart | undefined, tag: string): Program {
  return function* (self: Process): Sys<number> {
    let part: Part | undefined;
    self.declareUse({ memoryBytes: component.memoryBytes, cpuMillicores: component.cpuMillicores });
    for (const health of component.health) {
      const port = health.secure ? flagPort(self.argv, health.port) : health.port;
      const tls = health.secure ? { tls: certificateOf(self) } : {};
      try {
        self.serveHttp({ port, handler: healthHandler(health, () => part), ...tls });
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        const name = component.program.slice(component.program.lastIndexOf("/") + 1);
        yield* self.write(
          2,
          `${name}: failed to listen on 0.0.0.0:${port}: listen tcp 0.0.0.0:${port}: bind: address already in use\n`,
        );
        return 1;
      }
    }
    const exit = new OwnExit();
    try {
      part = start?.(self, (code, text) => exit.take(code, text), tag);
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      exit.take(1, `${error.message}\n`);
    }
    for (const signal of ["TERM", "INT"] as const) self.setSignal(signal, "catch");
    yield* park(() => {
      if (part?.terminate === undefined || self.exit !== undefined) part?.stop();
    }, exit);
    if (part?.terminate !== undefined && exit.code === undefined) {
      for (const signal of ["TERM", "INT"] as const) self.setSignal(signal, "ignore");
      part.terminate(() => exit.take(0));
      yield* park(() => part?.stop(), exit);
      part.stop();
      return 0;
    }
    if (exit.code !== undefined) {
      if (exit.text !== "") yield* self.write(2, exit.text);
      return exit.code;
    }
    yield* self.sleep(shutdownMs);
    return 0;
  };
}

/** How a component ends by itself, and whom to wake for it. */
class OwnExit {
  code: number | undefined;
  text = "";
  wake: (() => void) | undefined;

  take(code: number, text = ""): void {
    this.code = code;
    this.text = text;
    this.wake?.();
  }
}

/**
 * Until a caught signal arrives, the process is ended from outside (`onEnd` is called either way), or its part ends it. A
 * system call of its own, because a program that is killed runs no more of its code, and its part must stop all the same.
 */
function* park(onEnd: () => void, exit: OwnExit): Sys<void> {
  if (exit.code !== undefined) return;
  try {
    yield (thread) => {
      thread.onInterrupt = onEnd;
      exit.wake = () => thread.resume(undefined);
    };
  } catch (error) {
    if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
  }
}

/** One for each tag. */
export function imagesOf(component: PartImage, start: StartPart | undefined): readonly Image[] {
  const { repository, tags, program, sizeBytes, tools = [] } = component;
  const filesOf = (tag: string) =>
    new Map<string, TreeEntry>([
      ...scratchFiles,
      ["/etc/hosts", { type: "file", content: "" }],
      [program, { type: "program", program: programOf(component, start, tag), sizeBytes: sizeBytes * 3 }],
      ...tools.map((name): [string, TreeEntry] => [`/usr/local/bin/${name}`, { type: "program", program: lateProgram(name) }]),
    ]);
  return tags.map((tag) => ({
    repository,
    tag,
    digest: digestOf(`${repository} ${tag}`),
    sizeBytes,
    config: configOf([program]),
    files: filesOf(tag),
  }));
}

/** The images of one world: their programs run that world's parts. */
export function systemImages(parts: SystemParts): readonly Image[] {
  return components.flatMap((component) => imagesOf(component, parts[component.part]));
}
