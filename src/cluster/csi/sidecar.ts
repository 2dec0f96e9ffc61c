// What the programs beside a driver have in common: the driver's socket, a queue, and a log.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { canonicalQuantity } from "#cluster/api/quantity.ts";
import type { Client } from "#cluster/client/client.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { WorkQueue } from "#cluster/client/work-queue.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type DriverService, RpcError } from "./driver-api.ts";

export interface SidecarOptions {
  readonly simulation: Simulation;
  /** As the service account of its Pod. */
  readonly client: Client;
  readonly self: Process;
}

/** How long the first wait after a failure is, and the longest. */
export interface Retry {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** `--csi-address=/csi/csi.sock`; the default is that of upstream's programs. */
function socketOf(self: Process): string {
  const flag = self.argv.find((each) => /^--?csi-address=/u.test(each));
  return flag === undefined ? "/run/csi/socket" : flag.slice(flag.indexOf("=") + 1);
}

/** Throws RpcError where nobody listens at the driver's socket. */
export function driverOf(self: Process): DriverService {
  const socket = socketOf(self);
  try {
    return self.connectSocket(socket) as DriverService;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const cause = `transport: Error while dialing: dial unix ${socket}: connect: ${asciiLowerCase(error.message)}`;
    throw new RpcError("Unavailable", `connection error: desc = ${JSON.stringify(cause)}`);
  }
}

/** Undefined for what no call to a driver comes to. */
export function callFault(error: unknown): string | undefined {
  return error instanceof RpcError ? error.message : undefined;
}

/** Parameters of classes that are meant for such programs. */
export const ownParameters = "csi.storage.k8s.io/";

const gibibyte = 1_073_741_824;

/** As quantities tell whole units of the service: `5Gi`, `1Ti`. */
export function bytesText(bytes: number): string {
  return canonicalQuantity(`${bytes / gibibyte}Gi`);
}

export abstract class Sidecar {
  protected readonly options: SidecarOptions;
  protected readonly informers: InformerFactory;
  protected readonly queue: WorkQueue;

  constructor(options: SidecarOptions, { firstMs, longestMs }: Retry) {
    this.options = options;
    this.informers = new InformerFactory(options.simulation, options.client);
    this.queue = new WorkQueue(options.simulation, (key) => this.#pass(key), { baseDelayMs: firstMs, maxDelayMs: longestMs });
  }

  start(): void {
    this.informers.start();
  }

  stop(): void {
    this.queue.stop();
    this.informers.stop();
  }

  protected say(severity: "I" | "W" | "E", place: string, message: string): void {
    klogLater(this.options.self, severity, place, message);
  }

  /** One pass over a key; false: again, with back-off. */
  protected abstract pass(key: string): boolean;

  #pass(key: string): void {
    try {
      if (this.pass(key)) this.queue.forget(key);
      else this.queue.addRateLimited(key);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.queue.addRateLimited(key);
    }
  }
}
