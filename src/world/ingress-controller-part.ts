// What the containers of an Ingress controller start, and the image that they are made from.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { klogLine } from "#cluster/api/klog.ts";
import type { Authenticator } from "#cluster/apiserver/authentication.ts";
import type { ClientFactory } from "#cluster/client/client.ts";
import type { Log } from "#cluster/client/said-client.ts";
import { WrongCommandLine } from "#cluster/component-flags.ts";
import type { Image } from "#cluster/images/image.ts";
import { klogLater, logLater } from "#cluster/images/log-line.ts";
import { type Exit, imagesOf, type Part, type StartPart } from "#cluster/images/system-images.ts";
import { alpineTools } from "#cluster/images/tools.ts";
import { FatalStart, IngressController } from "#cluster/ingress/controller.ts";
import { actingIngressFlags, type IngressFlags, ingressFlags } from "#cluster/ingress/flags.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { warnOfIdleFlags } from "./component-start.ts";
import { serviceAccountOf } from "./control-plane-parts.ts";
import { kubernetesVersion } from "./manifests/versions.ts";

export interface IngressControllerPartOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** Whose tokens count. */
  readonly authenticator: () => Authenticator;
}

export const ingressControllerImage = { repository: "docker.io/pilothouse/ingress-controller", tag: "1.0" };

const mebibyte = 1_048_576;
const nothing: Part = { stop: () => {} };
const noUsualFlags: ReadonlySet<string> = new Set();
const line = "-".repeat(79);

export function ingressControllerImages(options: IngressControllerPartOptions): readonly Image[] {
  const { repository, tag } = ingressControllerImage;
  const declared = {
    repository,
    tags: [tag],
    program: "/ingress-controller",
    sizeBytes: 38_797_312,
    memoryBytes: 90 * mebibyte,
    cpuMillicores: 3,
    health: [],
  };
  return imagesOf(declared, ingressControllerPart(options)).map((image) => ({
    ...image,
    files: new Map([...alpineTools, ...image.files]),
  }));
}

function ingressControllerPart({ simulation, clients, authenticator }: IngressControllerPartOptions): StartPart {
  return (self, exit, tag) => {
    logLater(self, 1, () => `${line}\nIngress controller\n  Release:       ${tag}\n  nginx version: nginx/1.27.5\n\n${line}\n\n`);
    const flags = readFlags(self, exit);
    if (flags === undefined) return nothing;
    const say: Log = (severity, place, message) => klogLater(self, severity, place, message);
    const user = serviceAccountOf(self, authenticator());
    if (user === undefined) {
      exit(255, fatal(self, "main.go:64", "open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory"));
      return nothing;
    }
    warnOfIdleFlags(self, flags.given, actingIngressFlags, noUsualFlags);
    // A client that has gone is no reason to end.
    self.setSignal("PIPE", "ignore");
    const { KUBERNETES_SERVICE_HOST: host = "10.96.0.1" } = Object.fromEntries(self.env);
    say("I", "main.go:205", `"Creating API client" host="https://${host}:443"`);
    say("I", "main.go:248", `"Running in Kubernetes cluster" git=${JSON.stringify(kubernetesVersion)} platform="linux/amd64"`);
    return started(self, exit, () => new IngressController({ simulation, clients, user, self, flags, say }));
  };
}

function readFlags(self: Process, exit: Exit): IngressFlags | undefined {
  try {
    return ingressFlags(self.argv);
  } catch (error) {
    if (!(error instanceof WrongCommandLine)) throw error;
    if (error.logged) exit(255, fatal(self, "main.go:64", error.message));
    else exit(2, `${error.message}\n`);
    return undefined;
  }
}

function started(self: Process, exit: Exit, make: () => IngressController): Part {
  try {
    const controller = make();
    const { healthHost, healthPort } = controller.flags;
    self.serveHttp({ port: healthPort, ...(healthHost === "" ? {} : { address: healthHost }), handler: controller.health });
    controller.start();
    return { stop: () => controller.stop(), terminate: (done) => controller.terminate(done) };
  } catch (error) {
    if (error instanceof FatalStart) exit(255, fatal(self, error.place, error.message));
    else if (error instanceof ApiError || error instanceof ApiUnreachable)
      exit(255, fatal(self, "main.go:262", `Error while initiating a connection to the Kubernetes API server: ${wordsOf(error)}`));
    else throw error;
    return nothing;
  }
}

function fatal(self: Process, place: string, message: string): string {
  return klogLine(self, "E", place, message).replace(/^E/u, "F");
}
