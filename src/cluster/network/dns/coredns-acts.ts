// What CoreDNS does beyond answering: it waits for a cluster that it cannot see, reads a Corefile that is not kubeadm's, takes a
// changed one, and takes its time when it is told to end.

import { logLater } from "#cluster/images/log-line.ts";
import { type Exit, StartFailure } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { type CoreDnsProgram, lookMs } from "./coredns-program.ts";
import { idleLine, lameduckLine } from "./coredns-words.ts";
import type { CorefileSettings } from "./corefile.ts";
import { configurationSum, corefileSettings } from "./corefile-reader.ts";

/** plugin/kubernetes: how often it says that it waits, and how long it does. */
const sayMs = 500;
const patienceMs = 5_000;
/** What CoreDNS does without a Corefile (coremain and dnsserver.DefaultPort). */
const noCorefile = ".:53 {\nwhoami\nlog\n}\n";

/** The file that the command line names. Throws StartFailure. */
export function findCorefile(self: Process): { readonly path: string; readonly text: string } {
  const at = self.argv.indexOf("-conf");
  const named = at < 0 ? undefined : self.argv[at + 1];
  const path = named ?? "Corefile";
  if (self.exists(path)) return { path, text: self.readText(path) };
  if (named === undefined) return { path, text: noCorefile };
  throw new StartFailure(`loading Caddyfile via flag: open ${path}: no such file or directory`);
}

function say({ options: { self } }: CoreDnsProgram, line: string): void {
  logLater(self, 1, () => `${line}\n`);
}

/** Listens when the plugin kubernetes knows the cluster, or has waited long enough; it has looked once. */
export function awaitCluster(program: CoreDnsProgram, waitedMs = lookMs): void {
  const { ready } = program.server;
  if (ready || waitedMs >= patienceMs) {
    if (!ready) say(program, "[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API");
    program.listen();
    return;
  }
  if (waitedMs % sayMs === 0) say(program, "[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server");
  program.wait(lookMs, () => awaitCluster(program, waitedMs + lookMs));
}

export function unready(program: CoreDnsProgram, path: string): string | undefined {
  if (path !== "/ready") return undefined;
  say(program, '[INFO] plugin/ready: Plugins not ready: "kubernetes"');
  return "kubernetes";
}

/** Goes on answering for the plugin health's lameduck. */
export function terminate(program: CoreDnsProgram, done: () => void): void {
  const { lameduckMs } = settingsOf(program);
  say(program, "[INFO] SIGTERM: Shutting down servers then terminating");
  if (lameduckMs > 0) logLater(program.options.self, 1, () => lameduckLine(lameduckMs));
  program.wait(lameduckMs, done);
}

export function cannotListen(exit: Exit, error: unknown): void {
  if (!(error instanceof SysError)) throw error;
  exit(1, "Listen: listen tcp :53: bind: address already in use\n");
}

/** Of the Corefile that counts. */
function settingsOf({ settings, path, text }: CoreDnsProgram): CorefileSettings {
  return settings ?? corefileSettings(path, text);
}

/** A file that is wrong is not tried again; its servers go on as they are (plugin/reload, caddy's Instance.Restart). */
export function reload(program: CoreDnsProgram): void {
  const { path, text: before, options } = program;
  const settings = settingsOf(program);
  const text = options.self.readText(path);
  program.text = text;
  program.settings = settings;
  try {
    const sum = configurationSum(path, text);
    if (sum !== configurationSum(path, before)) restart(program, sum);
  } catch (error) {
    say(program, `[WARNING] plugin/reload: Corefile parse failed: ${messageOf(error)}`);
  }
}

function restart(program: CoreDnsProgram, sum: string): void {
  say(program, "[INFO] Reloading");
  try {
    program.settings = corefileSettings(program.path, program.text);
  } catch (error) {
    const cause = messageOf(error);
    say(program, `[ERROR] Restart failed: ${cause}`);
    const reported = `starting with listener file descriptors: ${cause}`;
    say(program, `[ERROR] plugin/reload: Corefile changed but reload failed: ${reported}`);
    return;
  }
  const { idle, reloadMs } = program.settings;
  for (const what of idle) say(program, idleLine(what));
  if (reloadMs < Number.POSITIVE_INFINITY) say(program, `[INFO] plugin/reload: Running configuration SHA512 = ${sum}`);
  say(program, "[INFO] Reloading complete");
}

function messageOf(error: unknown): string {
  if (!(error instanceof StartFailure)) throw error;
  return error.message;
}
