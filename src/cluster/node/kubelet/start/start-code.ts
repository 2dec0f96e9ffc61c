// From the files of a machine to what its kubelet is started with: the unit's environment files with flags, the configuration, and
// credential providers.

import { wordsOf } from "#sim/errors.ts";
import type { Machine } from "../../host/machine.ts";
import { rangeOf } from "../../user-namespaces/id-range.ts";
import { PodUserNamespaces } from "../../user-namespaces/pod-user-namespaces.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import { configurationPath, type KubeletConfiguration } from "../configuration-fields.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import { checkUnsafeSysctls, readConfiguration } from "./configuration-reader.ts";
import { type KubeletFlags, readFlags } from "./flags.ts";
import { credentialProviders } from "./provider-config.ts";
import { ProviderPlugins } from "./provider-plugins.ts";
import { StartRefusal } from "./start-refusal.ts";

export { configurationFile } from "../configuration-file.ts";

/** Throws StartRefusal. */
export function settingsOf(machine: Machine): Partial<KubeletOptions> {
  const { files, simulation } = machine;
  const text = (path: string): string => (files.exists(path) ? files.readText(path) : "");
  const flags = readFlags(text("/var/lib/kubelet/kubeadm-flags.env"), text("/etc/default/kubelet"));
  const configuration = readConfiguration(files.exists(configurationPath) ? files.readText(configurationPath) : undefined, machine);
  const { providerConfig, providerDirectory, containerGc, warnings, nodeLabels } = flags;
  for (const warning of warnings) machine.journal.write("kubelet", ({ values }) => values[0] ?? "", warning);
  checkUnsafeSysctls(flags.allowedUnsafeSysctls);
  const userNamespaces = userNamespacesOf(machine, configuration);
  const others = { containerGc, userNamespaces, labels: nodeLabels, environmentFlags: flags.written };
  const configured = { ...configuration, ...kubeletOptionsOf(withFlags(configuration.configuration, flags)), ...others };
  if (providerConfig === "" && providerDirectory === "") return configured;
  const providers = credentialProviders(files, providerConfig, providerDirectory);
  return {
    ...configured,
    credentialPlugins: new ProviderPlugins({ machine, simulation, directory: providerDirectory, providers }),
  };
}

/** Flags that say what a field of the configuration says have the last word. */
function withFlags(configuration: KubeletConfiguration = {}, flags: KubeletFlags): KubeletConfiguration {
  const { allowedUnsafeSysctls, registerNode, registerWithTaints } = flags;
  const given = Object.entries({ allowedUnsafeSysctls, registerNode, registerWithTaints });
  return { ...configuration, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

function userNamespacesOf(machine: Machine, { maxPods = 110, idsPerPod }: Partial<KubeletOptions>): PodUserNamespaces {
  try {
    return new PodUserNamespaces(machine, rangeOf(machine.files, maxPods, idsPerPod));
  } catch (error) {
    throw new StartRefusal(`failed to run Kubelet: failed to create kubelet: create user namespace manager: ${wordsOf(error)}`);
  }
}
