// The code of the shell's commands, of kubectl, of the images' servers and of what a cluster needs only for programs and what these bring,
// provided to all worlds. Whoever makes a world imports it; a browser's worker does so while the cluster starts.

import * as cel from "@marcbachmann/cel-js";
import * as goNames from "#cluster/api/go-names.ts";
import { lateGoNames } from "#cluster/api/late-go-names.ts";
import { parseAnyYaml } from "#cluster/api/yaml-document.ts";
import { lateYaml } from "#cluster/api/yaml-text.ts";
import * as dynamicPlugins from "#cluster/apiserver/admission/dynamic-plugin-code.ts";
import { lateDynamicPlugins } from "#cluster/apiserver/admission/dynamic-plugins.ts";
import { lateRequests } from "#cluster/apiserver/late-requests.ts";
import * as requests from "#cluster/apiserver/request-code.ts";
import { lateCel } from "#cluster/cel/late-cel.ts";
import { latePasses } from "#cluster/controllers/late-passes.ts";
import * as passes from "#cluster/controllers/pass-code.ts";
import { serverPrograms } from "#cluster/images/server-programs.ts";
import { latePlaces } from "#cluster/network/late-places.ts";
import * as places from "#cluster/network/places.ts";
import * as journalWords from "#cluster/node/host/journal-word-code.ts";
import { lateJournalWords } from "#cluster/node/host/late-journal-words.ts";
import * as devices from "#cluster/node/kubelet/devices/device-manager.ts";
import { lateDevices } from "#cluster/node/kubelet/devices/device-plugins.ts";
import { lateStart } from "#cluster/node/kubelet/start/late-start.ts";
import * as kubeletStart from "#cluster/node/kubelet/start/start-code.ts";
import * as customResources from "#cluster/resources/apiextensions/custom-resource-code.ts";
import { lateCustomResources } from "#cluster/resources/apiextensions/late-custom-resources.ts";
import { latePodRules } from "#cluster/resources/core/late-pod-rules.ts";
import * as podRules from "#cluster/resources/core/pod-rule-code.ts";
import { lateDefinitions } from "#cluster/resources/late-kind-code.ts";
import { lateKinds } from "#cluster/resources/late-kinds.ts";
import { kubectl } from "#kubectl/kubectl.ts";
import { shellPrograms } from "#shell/commands.ts";
import * as completion from "#shell/line/completion.ts";
import { lateCompletion } from "#shell/line/late-completion.ts";
import { providePrograms } from "#sim/late-programs.ts";
import { lateSockets } from "#sim/network/late-sockets.ts";
import * as sockets from "#sim/network/sockets.ts";
import * as fifo from "#sim/process/fifo.ts";
import { lateFifo } from "#sim/process/late-fifo.ts";
import { guidePrograms } from "./guide/guide.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import * as machineTools from "./machine-tool-code.ts";

/** The words of kubectl's help come after it, from who fetches them. */
export { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";

providePrograms(shellPrograms);
providePrograms(new Map([["kubectl", kubectl]]));
providePrograms(serverPrograms);
providePrograms(guidePrograms);
lateRequests.provide(requests);
lateYaml.provide(parseAnyYaml);
lateCustomResources.provide(customResources);
lateKinds.provide(lateDefinitions);
lateDynamicPlugins.provide(dynamicPlugins);
lateCel.provide(cel);
latePasses.provide(passes);
latePodRules.provide(podRules);
lateMachineTools.provide(machineTools);
lateStart.provide(kubeletStart);
lateDevices.provide(devices);
lateJournalWords.provide(journalWords);
lateGoNames.provide(goNames);
lateCompletion.provide(completion);
lateSockets.provide(sockets);
lateFifo.provide(fifo);
latePlaces.provide(places);
