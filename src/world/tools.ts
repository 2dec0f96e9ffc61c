// The code of the shell's commands, of kubectl, of the images' servers and of what a cluster needs only for programs and what these bring,
// provided to all worlds. Whoever makes a world calls it first; a browser's worker does so while the cluster starts.

import { lateVolumeWork } from "#cluster/addons/local-path-provisioner/late-volume-work.ts";
import * as volumeWork from "#cluster/addons/local-path-provisioner/volume-work.ts";
import { lateMetrics } from "#cluster/addons/metrics-server/late-metrics.ts";
import * as metrics from "#cluster/addons/metrics-server/metric-code.ts";
import * as lateTypeTables from "#cluster/api/generated/late-tables.ts";
import * as goNames from "#cluster/api/go-names.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { lateGoNames } from "#cluster/api/late-go-names.ts";
import { lateKlog } from "#cluster/api/late-klog.ts";
import { lateTables } from "#cluster/api/late-tables.ts";
import { lateTokenSignature } from "#cluster/api/late-token-signature.ts";
import * as tokenSignature from "#cluster/api/token-signature.ts";
import { parseAnyYaml } from "#cluster/api/yaml-document.ts";
import { lateYaml } from "#cluster/api/yaml-text.ts";
import * as dynamicPlugins from "#cluster/apiserver/admission/dynamic-plugin-code.ts";
import { lateDynamicPlugins } from "#cluster/apiserver/admission/dynamic-plugins.ts";
import * as atRest from "#cluster/apiserver/at-rest/at-rest-code.ts";
import { lateAtRest } from "#cluster/apiserver/at-rest/late-at-rest.ts";
import * as audit from "#cluster/apiserver/audit-code.ts";
import { lateAudit } from "#cluster/apiserver/late-audit.ts";
import { lateRequests } from "#cluster/apiserver/late-requests.ts";
import { latePeers } from "#cluster/apiserver/peers/late-peers.ts";
import * as peers from "#cluster/apiserver/peers/peer-code.ts";
import * as requests from "#cluster/apiserver/request-code.ts";
import * as cel from "#cluster/cel/environment.ts";
import { lateCel } from "#cluster/cel/late-cel.ts";
import { latePasses } from "#cluster/controllers/late-passes.ts";
import * as passes from "#cluster/controllers/pass-code.ts";
import * as etcd from "#cluster/etcd/etcd-code.ts";
import { etcdctl } from "#cluster/etcd/etcdctl.ts";
import { etcdutl } from "#cluster/etcd/etcdutl.ts";
import { lateEtcd } from "#cluster/etcd/late-etcd.ts";
import * as flagNames from "#cluster/flag-name-code.ts";
import { kubectlImages } from "#cluster/images/kubectl.ts";
import { lateImages } from "#cluster/images/late-images.ts";
import { lookInImages } from "#cluster/images/look-in-images.ts";
import { mysqlImages } from "#cluster/images/mysql/image.ts";
import { serverPrograms } from "#cluster/images/server-programs.ts";
import { suiteImages } from "#cluster/images/suite-images.ts";
import { wordpressImages } from "#cluster/images/wordpress/image.ts";
import { lateFlagNames } from "#cluster/late-flag-names.ts";
import * as coreDnsCode from "#cluster/network/dns/coredns-code.ts";
import { lateCoreDns } from "#cluster/network/dns/late-coredns.ts";
import { latePlaces } from "#cluster/network/late-places.ts";
import * as conntrack from "#cluster/network/netfilter/conntrack-code.ts";
import { lateConntrack } from "#cluster/network/netfilter/late-conntrack.ts";
import * as places from "#cluster/network/places.ts";
import { latePolicies } from "#cluster/network/policy/late-policies.ts";
import * as policies from "#cluster/network/policy/policy-agent.ts";
import { lateProxy } from "#cluster/network/proxy/late-proxy.ts";
import * as proxyCode from "#cluster/network/proxy/proxy-code.ts";
import * as gateway from "#cluster/node/gateway-code.ts";
import * as grub from "#cluster/node/host/grub.ts";
import * as journalWords from "#cluster/node/host/journal-word-code.ts";
import { lateGrub } from "#cluster/node/host/late-grub.ts";
import { lateJournalWords } from "#cluster/node/host/late-journal-words.ts";
import * as devices from "#cluster/node/kubelet/devices/device-manager.ts";
import { lateDevices } from "#cluster/node/kubelet/devices/device-plugins.ts";
import * as imageVolumes from "#cluster/node/kubelet/image-volumes.ts";
import * as keyrings from "#cluster/node/kubelet/images/keyring-code.ts";
import { lateKeyring } from "#cluster/node/kubelet/images/late-keyring.ts";
import { lateImageVolumes } from "#cluster/node/kubelet/late-image-volumes.ts";
import { latePodDns } from "#cluster/node/kubelet/late-pod-dns.ts";
import { latePreemption } from "#cluster/node/kubelet/late-preemption.ts";
import { lateSysctlAdmission } from "#cluster/node/kubelet/late-sysctl-admission.ts";
import * as gzip from "#cluster/node/kubelet/logs/gzip.ts";
import { lateGzip } from "#cluster/node/kubelet/logs/late-gzip.ts";
import * as preemption from "#cluster/node/kubelet/preemption-code.ts";
import * as probeHandlers from "#cluster/node/kubelet/probes/handler-code.ts";
import { lateHandlers } from "#cluster/node/kubelet/probes/late-handlers.ts";
import * as answers from "#cluster/node/kubelet/server/answer-code.ts";
import { lateAnswers } from "#cluster/node/kubelet/server/late-answers.ts";
import { lateStart } from "#cluster/node/kubelet/start/late-start.ts";
import * as kubeletStart from "#cluster/node/kubelet/start/start-code.ts";
import * as sysctlAdmission from "#cluster/node/kubelet/sysctl-admission.ts";
import { lateVolumes } from "#cluster/node/kubelet/volumes/late-volumes.ts";
import * as podDns from "#cluster/node/kubelet/volumes/pod-dns.ts";
import * as volumeCode from "#cluster/node/kubelet/volumes/volume-code.ts";
import { lateGateway } from "#cluster/node/late-gateway.ts";
import * as execStreams from "#cluster/node/runtime/exec-stream.ts";
import * as imageMounts from "#cluster/node/runtime/image-mounts.ts";
import { lateExecStreams } from "#cluster/node/runtime/late-exec-streams.ts";
import { lateImageMounts } from "#cluster/node/runtime/late-image-mounts.ts";
import { lateUserNamespaces } from "#cluster/node/user-namespaces/late-user-namespaces.ts";
import * as userNamespaces from "#cluster/node/user-namespaces/user-namespace-code.ts";
import * as customResources from "#cluster/resources/apiextensions/custom-resource-code.ts";
import { lateCustomResources } from "#cluster/resources/apiextensions/late-custom-resources.ts";
import { latePodRules } from "#cluster/resources/core/pods/late-pod-rules.ts";
import * as podRules from "#cluster/resources/core/pods/pod-rule-code.ts";
import { lateDefinitions } from "#cluster/resources/late-kind-code.ts";
import { lateKinds } from "#cluster/resources/late-kinds.ts";
import * as schedulerConfiguration from "#cluster/scheduler/configuration/configuration-code.ts";
import * as queueingHints from "#cluster/scheduler/hint-code.ts";
import { lateConfiguration } from "#cluster/scheduler/late-configuration.ts";
import { lateHints } from "#cluster/scheduler/late-hints.ts";
import { kubectl } from "#kubectl/kubectl.ts";
import { cfssl } from "#shell/commands/cfssl.ts";
import { cfssljson } from "#shell/commands/cfssljson.ts";
import { shellPrograms } from "#shell/commands.ts";
import { engine } from "#shell/interpreter/engine.ts";
import { lateEngine } from "#shell/interpreter/late-engine.ts";
import * as completion from "#shell/line/completion.ts";
import { lateCompletion } from "#shell/line/late-completion.ts";
import { lateLegacyCgroups } from "#sim/filesystem/late-legacy-cgroups.ts";
import { lateMounting } from "#sim/filesystem/late-mounting.ts";
import { lateSysctls } from "#sim/filesystem/late-sysctls.ts";
import * as legacyCgroups from "#sim/filesystem/legacy-cgroups.ts";
import * as mounting from "#sim/filesystem/mounting.ts";
import * as sysctls from "#sim/filesystem/sysctls.ts";
import { providePrograms } from "#sim/late-programs.ts";
import { lateUnicode } from "#sim/late-unicode.ts";
import * as datagrams from "#sim/network/datagrams.ts";
import { lateDatagrams } from "#sim/network/late-datagrams.ts";
import { lateSockets } from "#sim/network/late-sockets.ts";
import * as sockets from "#sim/network/sockets.ts";
import * as fifo from "#sim/process/fifo.ts";
import { lateFifo } from "#sim/process/late-fifo.ts";
import * as unicode from "#sim/unicode.ts";
import * as componentAnswers from "./component-answers.ts";
import { guidePrograms } from "./guide/guide.ts";
import { lateComponentAnswers } from "./late-component-answers.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import * as machineTools from "./machine-tool-code.ts";

/** The words of kubectl's help come after it, from whoever fetches them. */
export { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";

/** Once for all worlds; a second time changes nothing. */
export function provideTools(): void {
  providePrograms(shellPrograms);
  providePrograms(new Map([["kubectl", kubectl]]));
  providePrograms(serverPrograms);
  providePrograms(
    new Map([
      ["etcdctl", etcdctl],
      ["etcdutl", etcdutl],
      ["cfssl", cfssl],
      ["cfssljson", cfssljson],
    ]),
  );
  lateEtcd.provide(etcd);
  lateAtRest.provide(atRest);
  lateImages.provide([...suiteImages, ...kubectlImages, ...lookInImages, ...mysqlImages, ...wordpressImages]);
  providePrograms(guidePrograms);
  lateRequests.provide(requests);
  lateTables.provide(lateTypeTables);
  lateTokenSignature.provide(tokenSignature);
  lateYaml.provide(parseAnyYaml);
  lateCustomResources.provide(customResources);
  lateKinds.provide(lateDefinitions);
  lateDynamicPlugins.provide(dynamicPlugins);
  lateAudit.provide(audit);
  latePeers.provide(peers);
  lateCel.provide(cel);
  latePasses.provide(passes);
  lateVolumeWork.provide(volumeWork);
  latePodRules.provide(podRules);
  lateMachineTools.provide(machineTools);
  lateGateway.provide(gateway);
  lateStart.provide(kubeletStart);
  lateUserNamespaces.provide(userNamespaces);
  lateHandlers.provide(probeHandlers);
  latePreemption.provide(preemption);
  lateKeyring.provide(keyrings);
  lateGzip.provide(gzip);
  lateImageVolumes.provide(imageVolumes);
  lateVolumes.provide(volumeCode);
  lateImageMounts.provide(imageMounts);
  lateExecStreams.provide(execStreams);
  lateAnswers.provide(answers);
  lateComponentAnswers.provide(componentAnswers);
  lateDevices.provide(devices);
  lateJournalWords.provide(journalWords);
  lateFlagNames.provide(flagNames);
  lateKlog.provide(klogLine);
  lateMetrics.provide(metrics);
  lateCoreDns.provide(coreDnsCode);
  lateProxy.provide(proxyCode);
  lateConfiguration.provide(schedulerConfiguration);
  lateHints.provide(queueingHints);
  lateGoNames.provide(goNames);
  provideSystemTools();
}

/** Of shells and kernels. */
function provideSystemTools(): void {
  lateCompletion.provide(completion);
  lateEngine.provide(engine);
  lateSockets.provide(sockets);
  lateDatagrams.provide(datagrams);
  lateConntrack.provide(conntrack);
  lateFifo.provide(fifo);
  lateMounting.provide(mounting);
  lateSysctls.provide(sysctls);
  lateLegacyCgroups.provide(legacyCgroups);
  lateGrub.provide(grub);
  lateSysctlAdmission.provide(sysctlAdmission);
  latePodDns.provide(podDns);
  lateUnicode.provide(unicode);
  latePlaces.provide(places);
  latePolicies.provide(policies);
}
