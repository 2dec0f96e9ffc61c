// The Ingress controller, as the program of its Pod runs it: reads the cluster as its service account, tells nginx what to do, answers, and
// tells Ingresses where they are reached. It follows the controller that Kubernetes itself kept for nginx.

import { encodeUtf8 } from "#sim/bytes.ts";
import { isOwnError, SysError, wordsOf } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { ApiError } from "../api/errors.ts";
import type { Pod } from "../api/generated/types.ts";
import * as kinds from "../api/kinds.ts";
import { type Stored, splitKey } from "../api/objects.ts";
import type { Client, ClientFactory, UserInfo } from "../client/client.ts";
import { EventRecorder, type EventSubject } from "../client/event-recorder.ts";
import { LeaderElector } from "../client/leader-election.ts";
import { isReason } from "../client/retry.ts";
import { type Log, saidClients } from "../client/said-client.ts";
import { fakeCertificate } from "./certificates.ts";
import { dynamicKey, reloadKey } from "./configuration.ts";
import type { IngressFlags } from "./flags.ts";
import { WrongPattern } from "./locations.ts";
import { makeConfiguration } from "./make-configuration.ts";
import { Running } from "./running.ts";
import { IngressServer } from "./server.ts";
import { StatusSync } from "./status.ts";
import { IngressStore } from "./store.ts";

export interface IngressControllerOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  readonly user: UserInfo;
  readonly self: Process;
  readonly flags: IngressFlags;
  readonly say: Log;
}

/** It cannot start so; `place`: where it says it. */
export class FatalStart extends Error {
  readonly place: string;

  constructor(place: string, message: string) {
    super(message);
    this.place = place;
  }
}

const userAgent = "ingress-controller";
const certificateFile = "/etc/ingress-controller/ssl/default-fake-certificate.pem";
/** How often it looks whether nginx has ended. */
const lookMs = 1000;
const restrictive =
  "✖ the cluster seems to be running with a restrictive Authorization mode and the Ingress controller does not have the required permissions to operate normally";

export class IngressController {
  readonly #options: IngressControllerOptions;
  readonly #client: Client;
  readonly #clients: ClientFactory;
  readonly #events: EventRecorder;
  readonly #pod: Stored<Pod>;
  readonly #own: Certificate;
  readonly #running: Running;
  readonly #server: IngressServer;
  readonly #store: IngressStore;
  readonly #status: StatusSync | undefined;
  #elector: LeaderElector | undefined;
  #descriptors: readonly number[] = [];
  #timer: Timer | undefined;
  #syncedMs = Number.NEGATIVE_INFINITY;
  #isReady = false;
  #isEnding = false;
  #reloadKey = "";
  #dynamicKey = "";

  /** Throws FatalStart, ApiError, ApiUnreachable. */
  constructor(options: IngressControllerOptions) {
    this.#options = options;
    const { simulation, clients, user, self, flags, say } = options;
    const namespace = self.env.get("POD_NAMESPACE") ?? "";
    this.#clients = saidClients({ clients, say, lease: `${namespace}/${flags.electionId}` });
    this.#client = this.#clients.clientFor(user, userAgent);
    this.#events = new EventRecorder(simulation, this.#client, { component: userAgent });
    this.#checkService(flags.defaultBackend);
    if (flags.defaultBackend !== "")
      say("I", "main.go:83", `"Valid default backend" service=${JSON.stringify(flags.defaultBackend)}`);
    this.#checkService(flags.publishService);
    this.#checkNamespace(flags.watchNamespace);
    this.#own = fakeCertificate(simulation.nowMs);
    say("I", "main.go:101", `"SSL fake certificate created" file=${JSON.stringify(certificateFile)}`);
    const readsClasses = this.#mayReadClasses();
    this.#pod = this.#ownPod(namespace);
    this.#running = new Running(simulation, self.random, this.#own);
    this.#server = new IngressServer(self, this.#running);
    this.#store = new IngressStore({
      simulation,
      client: this.#client,
      flags,
      readsClasses,
      say,
      tell: (type, ingress, reason, message) => this.#tell(type, ingress, reason, message),
      onChange: () => this.#enqueue(),
    });
    this.#status = flags.updateStatus
      ? new StatusSync({
          simulation,
          client: this.#client,
          flags,
          pod: this.#pod,
          say,
          ingresses: () => this.#store.ingresses.map(({ ingress }) => ingress),
        })
      : undefined;
    if (!flags.updateStatus) say("W", "nginx.go:157", "Update of Ingress status is disabled (flag --update-status)");
  }

  start(): void {
    const { say } = this.#options;
    say("I", "nginx.go:273", '"Starting Ingress controller"');
    this.#store.start(() => {
      if (this.#isEnding) return;
      this.#elect();
      say("I", "nginx.go:319", '"Starting NGINX process"');
      this.#listen();
      this.#isReady = true;
      this.#enqueue();
    });
  }

  get flags(): IngressFlags {
    return this.#options.flags;
  }

  /** As a killed process: the Lease runs out, and Ingresses keep their addresses. */
  stop(): void {
    this.#isEnding = true;
    this.#options.simulation.cancel(this.#timer);
    this.#store.stop();
    this.#status?.stop();
    this.#elector?.stop();
    this.#running.stop();
  }

  /** In order: first nobody is sent here any more, then what is under way comes to its end. */
  terminate(done: () => void): void {
    const { simulation, say, flags } = this.#options;
    say("I", "sigterm.go:45", '"Received SIGTERM, shutting down"');
    this.#isEnding = true;
    simulation.after(flags.shutdownMs, () => {
      say("I", "nginx.go:395", '"Shutting down controller queues"');
      simulation.cancel(this.#timer);
      this.#status?.clear();
      say("I", "nginx.go:411", '"Stopping NGINX process"');
      this.#unlisten();
      const look = (): void => {
        if (this.#server.open > 0) simulation.after(lookMs, look);
        else this.#endLater(done);
      };
      simulation.after(lookMs, look);
    });
  }

  #endLater(done: () => void): void {
    const { simulation, say, flags } = this.#options;
    say("I", "nginx.go:424", '"NGINX process has stopped"');
    say("I", "sigterm.go:53", `Handled quit, delaying controller exit for ${flags.postShutdownMs / 1000} seconds`);
    simulation.after(flags.postShutdownMs, () => {
      say("I", "sigterm.go:56", '"Exiting" code=0');
      done();
    });
  }

  /** What probes ask for. */
  readonly health: HttpHandler = ({ target }, _peer, responder) => {
    const path = target.split("?", 1)[0];
    const isGood = this.#isReady && !this.#isEnding && !this.#running.isEmpty;
    const headers = { "content-type": "text/plain; charset=utf-8" };
    if (path === "/metrics") responder.reply(501, headers, encodeUtf8("ingress-controller: metrics are not simulated\n"));
    else if (path !== this.#options.flags.healthPath) responder.reply(404, headers, encodeUtf8("404 page not found\n"));
    else if (isGood) responder.reply(200, headers, encodeUtf8("ok"));
    else
      responder.reply(
        500,
        headers,
        encodeUtf8("[+]ping ok\n[-]nginx-ingress-controller failed: reason withheld\nhealthz check failed\n"),
      );
  };

  #checkService(key: string): void {
    if (key === "") return;
    const { namespace, name } = splitKey(key);
    if (namespace === "" || name.includes("/"))
      throw new FatalStart("main.go:80", `invalid format (namespace/name) found in '${key}'`);
    try {
      this.#client.get(kinds.services, { namespace, name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isReason(error, "Forbidden")) throw new FatalStart("main.go:80", restrictive);
      throw new FatalStart("main.go:80", `no service with name ${name} found in namespace ${namespace}: ${error.message}`);
    }
  }

  #checkNamespace(name: string): void {
    if (name === "") return;
    try {
      this.#client.get(kinds.namespaces, { namespace: "", name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new FatalStart("main.go:96", `No namespace with name ${name} found: ${error.message}`);
    }
  }

  #mayReadClasses(): boolean {
    try {
      this.#client.list(kinds.ingressClasses);
    } catch (error) {
      if (!isReason(error, "Forbidden")) throw error;
      const words = `No permissions to list and get Ingress Classes: ${wordsOf(error)}, IngressClass feature will be disabled`;
      this.#options.say("W", "main.go:111", words);
      return false;
    }
    return true;
  }

  #ownPod(namespace: string): Stored<Pod> {
    const name = this.#options.self.env.get("POD_NAME") ?? "";
    const words = "Unexpected error obtaining the controller's pod: unable to get POD information";
    if (name === "" || namespace === "")
      throw new FatalStart("main.go:120", `${words} (missing POD_NAME or POD_NAMESPACE environment variable`);
    try {
      return this.#client.get(kinds.pods, { namespace, name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new FatalStart("main.go:120", `${words}: ${error.message}`);
    }
  }

  #tell(type: "Normal" | "Warning", subject: EventSubject, reason: string, message: string): void {
    const { kind = "", apiVersion = "", metadata = {} } = subject;
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
    const parts = {
      Kind: kind,
      Namespace: namespace,
      Name: name,
      UID: uid,
      APIVersion: apiVersion,
      ResourceVersion: resourceVersion,
    };
    const shown = Object.entries({ ...parts, FieldPath: "" }).map(([field, value]) => `${field}:${JSON.stringify(value)}`);
    this.#options.say(
      "I",
      "event.go:377",
      `Event(v1.ObjectReference{${shown.join(", ")}}): type: '${type}' reason: '${reason}' ${message}`,
    );
    if (type === "Normal") this.#events.normal(subject, reason, message);
    else this.#events.warning(subject, reason, message);
  }

  #elect(): void {
    const { simulation, user, flags, self, say } = this.#options;
    if (!flags.elects) return;
    const { electionMs } = flags;
    const elector = new LeaderElector({
      simulation,
      clients: this.#clients,
      user,
      name: flags.electionId,
      namespace: this.#pod.metadata.namespace ?? "",
      hostname: self.hostname,
      timing: { leaseDurationMs: electionMs, renewDeadlineMs: electionMs / 2, retryPeriodMs: electionMs / 4 },
      eventSource: "ingress-leader-elector",
      log: (place, message) => say("I", place, message),
      onStarted: () => {
        say("I", "status.go:85", `"New leader elected" identity=${JSON.stringify(this.#pod.metadata.name)}`);
        this.#status?.start();
      },
      onLost: () => {
        this.#status?.stop();
        // It goes on, and tries again.
        simulation.after(electionMs / 4, () => {
          if (!this.#isEnding) this.#elector?.start();
        });
      },
    });
    this.#elector = elector;
    elector.start();
  }

  #listen(): void {
    const { self, flags, say } = this.#options;
    const running = this.#running;
    const { handler } = this.#server;
    const tls = {
      get certificate(): Certificate {
        return running.defaultCertificate;
      },
      certificateFor: (name: string) => running.certificateOf(name),
    };
    const opened: number[] = [];
    for (const place of [{ port: flags.httpPort }, { port: flags.httpsPort, tls }])
      try {
        opened.push(self.serveHttp({ ...place, handler }));
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        const number = error.code === "EACCES" ? 13 : 98;
        this.#server.errors.write("emerg", `bind() to 0.0.0.0:${place.port} failed (${number}: ${error.message})`);
        say("E", "nginx.go:437", `"NGINX error" err="exit status 1"`);
      }
    this.#descriptors = opened;
  }

  #unlisten(): void {
    for (const descriptor of this.#descriptors) this.#options.self.close(descriptor);
    this.#descriptors = [];
  }

  /** At once, unless the last pass is too near. */
  #enqueue(): void {
    if (!this.#isReady || this.#isEnding || this.#timer?.callback !== undefined) return;
    const { simulation, flags } = this.#options;
    const nextMs = this.#syncedMs + 1000 / flags.syncRate;
    this.#timer = simulation.at(Math.max(simulation.nowMs, Math.ceil(nextMs)), () => this.#sync());
  }

  #sync(): void {
    const { simulation, say, flags } = this.#options;
    this.#timer = undefined;
    this.#syncedMs = simulation.nowMs;
    const store = this.#store;
    try {
      const configuration = makeConfiguration(store.ingresses, {
        service: (key) => store.service(key),
        slices: (key) => store.slices(key),
        certificate: (key) => store.certificate(key),
        ownCertificate: this.#own,
        defaultBackend: flags.defaultBackend,
        defaultCertificate: flags.defaultCertificate,
        refusesExternalNames: flags.refusesExternalNames,
        nowMs: simulation.nowMs,
        warn: (place, message) => say("W", place, message),
      });
      const [reload, dynamic] = [reloadKey(configuration), dynamicKey(configuration)];
      const reloads = reload !== this.#reloadKey;
      if (!reloads && dynamic === this.#dynamicKey) return;
      if (reloads) this.#sayReload();
      if (this.#reloadKey === "") say("I", "controller.go:243", '"Initial sync, sleeping for 1 second"');
      this.#reloadKey = reload;
      this.#dynamicKey = dynamic;
      this.#running.use(configuration, reloads);
    } catch (error) {
      if (!(error instanceof WrongPattern) || !isOwnError(error)) throw error;
      say("E", "controller.go:226", `Unexpected failure reloading the backend:\n\n${error.message}`);
      this.#tell("Warning", this.#pod, "RELOAD", `Error reloading NGINX: ${error.message}`);
    }
  }

  #sayReload(): void {
    const { say } = this.#options;
    say("I", "controller.go:217", '"Configuration changes detected, backend reload required"');
    say("I", "controller.go:231", '"Backend successfully reloaded"');
    this.#tell("Normal", this.#pod, "RELOAD", "NGINX reload triggered due to a change in configuration");
  }
}
