// What the containers of a cloud's controller manager start.

import { klogLine } from "#cluster/api/klog.ts";
import type { Authenticator } from "#cluster/apiserver/authentication.ts";
import type { ClientFactory } from "#cluster/client/client.ts";
import type { Cloud } from "#cluster/cloud/cloud.ts";
import { providerName } from "#cluster/cloud/instance.ts";
import { CloudManager } from "#cluster/cloud/manager/cloud-manager.ts";
import { actingCloudFlags, cloudManagerFlags } from "#cluster/cloud/manager/flags.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import type { StartPart } from "#cluster/images/system-images.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { commandFailed, readCommandLine, warnOfIdleFlags } from "./component-start.ts";
import { serviceAccountOf } from "./control-plane-parts.ts";
import { kubernetesVersion } from "./manifests/versions.ts";

export interface CloudManagerPartOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** Whose tokens count. */
  readonly authenticator: () => Authenticator;
  readonly cloud: Cloud;
}

const nothing = { stop: (): void => {} };
const noUsualFlags: ReadonlySet<string> = new Set();
const notHere = encodeUtf8("cloud-controller-manager: only /healthz is simulated\n");

export function cloudManagerPart({ simulation, clients, authenticator, cloud }: CloudManagerPartOptions): StartPart {
  return (self, exit) => {
    const flags = readCommandLine(self, exit, () => cloudManagerFlags(self.argv));
    if (flags === undefined) return nothing;
    const { cloudProvider } = flags;
    if (cloudProvider !== providerName) {
      const isNone = cloudProvider === "external";
      const unknown = `Cloud provider could not be initialized: unknown cloud provider ${JSON.stringify(cloudProvider)}`;
      exit(255, fatal(self, isNone ? "main.go:92" : "main.go:89", isNone ? "Cloud provider is nil" : unknown));
      return nothing;
    }
    const say = (severity: "I" | "W" | "E", place: string, message: string): void => klogLater(self, severity, place, message);
    say(
      "W",
      "client_config.go:667",
      "Neither --kubeconfig nor --master was specified.  Using the inClusterConfig.  This might not work.",
    );
    const user = serviceAccountOf(self, authenticator());
    if (user === undefined) {
      exit(1, commandFailed(self, "open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory"));
      return nothing;
    }
    warnOfIdleFlags(self, flags.given, actingCloudFlags, noUsualFlags);
    say("I", "controllermanager.go:170", `Version: ${kubernetesVersion}`);
    const manager = new CloudManager({
      simulation,
      cloud,
      clients,
      user,
      hostname: self.hostname,
      flags,
      say,
      onExit: (code, last) => exit(code, last === undefined ? "" : fatal(self, last.place, last.message)),
    });
    manager.start();
    return {
      stop: () => manager.stop(),
      serve: (_counts, { target }, _peer, responder) => {
        const isHealth = target.split("?", 1)[0] === "/healthz";
        responder.reply(
          isHealth ? 200 : 501,
          { "content-type": "text/plain; charset=utf-8" },
          isHealth ? encodeUtf8("ok") : notHere,
        );
      },
    };
  };
}

function fatal(self: Process, place: string, message: string): string {
  return klogLine(self, "E", place, message).replace(/^E/u, "F");
}
