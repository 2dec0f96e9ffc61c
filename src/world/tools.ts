// The code of the shell's commands, of kubectl, of the images' servers and of what a cluster needs only for programs and what these bring,
// provided to all worlds. Whoever makes a world calls it first; a browser's worker does so while the cluster starts.

import * as lateTypeTables from "#cluster/api/generated/late-tables.ts";
import * as goNames from "#cluster/api/go-names.ts";
import { lateGoNames } from "#cluster/api/late-go-names.ts";
import { lateTables } from "#cluster/api/late-tables.ts";
import { parseAnyYaml } from "#cluster/api/yaml-document.ts";
import { lateYaml } from "#cluster/api/yaml-text.ts";
import * as dynamicPlugins from "#cluster/apiserver/admission/dynamic-plugin-code.ts";
import { lateDynamicPlugins } from "#cluster/apiserver/admission/dynamic-plugins.ts";
import * as audit from "#cluster/apiserver/audit-code.ts";
import { lateAudit } from "#cluster/apiserver/late-audit.ts";
import { lateRequests } from "#cluster/apiserver/late-requests.ts";
import * as requests from "#cluster/apiserver/request-code.ts";
import * as cel from "#cluster/cel/environment.ts";
import { lateCel } from "#cluster/cel/late-cel.ts";
import { latePasses } from "#cluster/controllers/late-passes.ts";
import * as passes from "#cluster/controllers/pass-code.ts";
import * as flagNames from "#cluster/flag-name-code.ts";
import { serverPrograms } from "#cluster/images/server-programs.ts";
import { lateFlagNames } from "#cluster/late-flag-names.ts";
import { latePlaces } from "#cluster/network/late-places.ts";
import * as places from "#cluster/network/places.ts";
import * as journalWords from "#cluster/node/host/journal-word-code.ts";
import { lateJournalWords } from "#cluster/node/host/late-journal-words.ts";
import * as devices from "#cluster/node/kubelet/devices/device-manager.ts";
import { lateDevices } from "#cluster/node/kubelet/devices/device-plugins.ts";
import { latePreemption } from "#cluster/node/kubelet/late-preemption.ts";
import * as preemption from "#cluster/node/kubelet/preemption.ts";
import * as answers from "#cluster/node/kubelet/server/answer-code.ts";
import { lateAnswers } from "#cluster/node/kubelet/server/late-answers.ts";
import { lateStart } from "#cluster/node/kubelet/start/late-start.ts";
import * as kubeletStart from "#cluster/node/kubelet/start/start-code.ts";
import { lateUserNamespaces } from "#cluster/node/user-namespaces/late-user-namespaces.ts";
import * as userNamespaces from "#cluster/node/user-namespaces/user-namespace-code.ts";
import * as customResources from "#cluster/resources/apiextensions/custom-resource-code.ts";
import { lateCustomResources } from "#cluster/resources/apiextensions/late-custom-resources.ts";
import { latePodRules } from "#cluster/resources/core/pods/late-pod-rules.ts";
import * as podRules from "#cluster/resources/core/pods/pod-rule-code.ts";
import { lateDefinitions } from "#cluster/resources/late-kind-code.ts";
import { lateKinds } from "#cluster/resources/late-kinds.ts";
import * as schedulerConfiguration from "#cluster/scheduler/configuration/configuration-code.ts";
import { lateConfiguration } from "#cluster/scheduler/late-configuration.ts";
import { kubectl } from "#kubectl/kubectl.ts";
import { shellPrograms } from "#shell/commands.ts";
import { engine } from "#shell/interpreter/engine.ts";
import { lateEngine } from "#shell/interpreter/late-engine.ts";
import * as completion from "#shell/line/completion.ts";
import { lateCompletion } from "#shell/line/late-completion.ts";
import { providePrograms } from "#sim/late-programs.ts";
import { lateUnicode } from "#sim/late-unicode.ts";
import { lateSockets } from "#sim/network/late-sockets.ts";
import * as sockets from "#sim/network/sockets.ts";
import * as fifo from "#sim/process/fifo.ts";
import { lateFifo } from "#sim/process/late-fifo.ts";
import * as unicode from "#sim/unicode.ts";
import { guidePrograms } from "./guide/guide.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import * as machineTools from "./machine-tool-code.ts";

/** The words of kubectl's help come after it, from whoever fetches them. */
export { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";

/** Once for all worlds; a second time changes nothing. */
export function provideTools(): void {
  providePrograms(shellPrograms);
  providePrograms(new Map([["kubectl", kubectl]]));
  providePrograms(serverPrograms);
  providePrograms(guidePrograms);
  lateRequests.provide(requests);
  lateTables.provide(lateTypeTables);
  lateYaml.provide(parseAnyYaml);
  lateCustomResources.provide(customResources);
  lateKinds.provide(lateDefinitions);
  lateDynamicPlugins.provide(dynamicPlugins);
  lateAudit.provide(audit);
  lateCel.provide(cel);
  latePasses.provide(passes);
  latePodRules.provide(podRules);
  lateMachineTools.provide(machineTools);
  lateStart.provide(kubeletStart);
  lateUserNamespaces.provide(userNamespaces);
  latePreemption.provide(preemption);
  lateAnswers.provide(answers);
  lateDevices.provide(devices);
  lateJournalWords.provide(journalWords);
  lateFlagNames.provide(flagNames);
  lateConfiguration.provide(schedulerConfiguration);
  lateGoNames.provide(goNames);
  lateCompletion.provide(completion);
  lateEngine.provide(engine);
  lateSockets.provide(sockets);
  lateFifo.provide(fifo);
  lateUnicode.provide(unicode);
  latePlaces.provide(places);
}
