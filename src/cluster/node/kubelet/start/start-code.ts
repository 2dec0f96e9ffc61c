// From the files of a machine to what its kubelet is started with: the unit's environment files with flags, the configuration, and
// credential providers.

import { wordsOf } from "#sim/errors.ts";
import { swapsText } from "#sim/process/swap.ts";
import { disabledProvider } from "../../../cloud/disabled-provider.ts";
import { plain } from "../../host/journal.ts";
import type { Machine } from "../../host/machine.ts";
import { rangeOf } from "../../user-namespaces/id-range.ts";
import { PodUserNamespaces } from "../../user-namespaces/pod-user-namespaces.ts";
import { checkCgroups } from "../cgroup-check.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import { configurationPath, type KubeletConfiguration } from "../configuration-fields.ts";
import { ExternalCloud } from "../external-cloud.ts";
import { klogForm } from "../kubelet-journal-words.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import { checkUnsafeSysctls, readConfiguration } from "./configuration-reader.ts";
import { type KubeletFlags, readFlags } from "./flags.ts";
import { credentialProviders } from "./provider-config.ts";
import { ProviderPlugins } from "./provider-plugins.ts";
import { checkRuntime } from "./runtime-refusal.ts";
import { StartRefusal } from "./start-refusal.ts";

export { containerdConfiguration } from "../../runtime/configuration-file.ts";
export { cgroupWarning, checkCgroups } from "../cgroup-check.ts";
export { configurationFile } from "../configuration-file.ts";
export { checkRuntime } from "./runtime-refusal.ts";

/** Throws StartRefusal. */
export function settingsOf(machine: Machine, kubeletVersion: string): Partial<KubeletOptions> {
  const { files, simulation } = machine;
  const text = (path: string): string => (files.exists(path) ? files.readText(path) : "");
  const flags = readFlags(text("/var/lib/kubelet/kubeadm-flags.env"), text("/etc/default/kubelet"));
  const configuration = readConfiguration(files.exists(configurationPath) ? files.readText(configurationPath) : undefined, machine);
  const { providerConfig, providerDirectory, containerGc, warnings, nodeLabels } = flags;
  for (const warning of warnings) machine.journal.write("kubelet", ({ values }) => values[0] ?? "", warning);
  checkCloud(flags, machine);
  checkUnsafeSysctls(flags.allowedUnsafeSysctls);
  const flagged = withFlags(configuration.configuration, flags);
  checkCgroups(machine.cgroupVersion, flagged, kubeletVersion);
  const options = kubeletOptionsOf(flagged);
  if (options.endpoints !== undefined) checkRuntime(files, options.endpoints);
  checkSwap(machine, flagged);
  const userNamespaces = userNamespacesOf(machine, configuration);
  const others = { containerGc, userNamespaces, labels: nodeLabels, cloud: cloudOf(flags), environmentFlags: flags.written };
  const configured = { ...configuration, ...options, ...others };
  if (providerConfig === "" && providerDirectory === "") return configured;
  const providers = credentialProviders(files, providerConfig, providerDirectory);
  return {
    ...configured,
    credentialPlugins: new ProviderPlugins({ machine, simulation, directory: providerDirectory, providers }),
  };
}

/** Throws StartRefusal: for clouds that were once a part of Kubernetes (cloudprovider.ErrorForDisabledProvider), and for another's address. */
function checkCloud({ cloudProvider, nodeIp }: KubeletFlags, machine: Machine): void {
  if (cloudProvider !== "" && cloudProvider !== "external")
    throw new StartRefusal(`failed to run Kubelet: ${disabledProvider(cloudProvider)}`);
  if (nodeIp !== "" && nodeIp !== machine.network.address) throw new StartRefusal(`--node-ip=${nodeIp}: not simulated`);
}

function cloudOf({ cloudProvider, nodeIp }: KubeletFlags): ExternalCloud | undefined {
  return cloudProvider === "external" ? new ExternalCloud(nodeIp === "" ? undefined : nodeIp) : undefined;
}

/** Flags that say what a field of the configuration says have the last word. */
function withFlags(configuration: KubeletConfiguration = {}, flags: KubeletFlags): KubeletConfiguration {
  const { allowedUnsafeSysctls, registerNode, registerWithTaints, failSwapOn, failCgroupV1 } = flags;
  const { containerRuntimeEndpoint, imageServiceEndpoint } = flags;
  const fields = { allowedUnsafeSysctls, registerNode, registerWithTaints, failSwapOn, failCgroupV1 };
  const given = Object.entries({ ...fields, containerRuntimeEndpoint, imageServiceEndpoint });
  return { ...configuration, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

/** What it says of the machine's swap, and whether it starts with it (pkg/kubelet/cm: NewContainerManager). Throws StartRefusal. */
function checkSwap(machine: Machine, { failSwapOn = true, memorySwap }: KubeletConfiguration): void {
  const { journal, group } = machine;
  if (!failSwapOn && memorySwap?.swapBehavior === undefined) {
    const said = klogForm(
      "I",
      "server.go:869",
      "NoSwap is set due to memorySwapBehavior not specified",
      "memorySwapBehavior",
      "FailSwapOn=",
    );
    journal.write("kubelet", said, "", "false");
  }
  if (group.swap === undefined) return;
  const [head = "", ...lines] = [`"Swap is on" /proc/swaps contents=<`, ...swapsText(group.swap).trimEnd().split("\n")];
  journal.write("kubelet", klogForm("I", "swap_util.go:119", ""), head);
  for (const line of [...lines.map((each) => `\t${each}`), " >"]) journal.write("kubelet", plain, line);
  if (failSwapOn)
    throw new StartRefusal(
      "failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false",
    );
}

function userNamespacesOf(machine: Machine, { maxPods = 110, idsPerPod }: Partial<KubeletOptions>): PodUserNamespaces {
  try {
    return new PodUserNamespaces(machine, rangeOf(machine.files, maxPods, idsPerPod));
  } catch (error) {
    throw new StartRefusal(`failed to run Kubelet: failed to create kubelet: create user namespace manager: ${wordsOf(error)}`);
  }
}
