// The code of the shell's commands, of kubectl, of the images' servers and of what only programs ask the API server for, provided to
// all worlds. Whoever makes a world imports it; a browser's worker does so while the cluster starts.

import * as openApi from "#cluster/api/openapi/documents.ts";
import { parseAnyYaml } from "#cluster/api/yaml-document.ts";
import { lateYaml } from "#cluster/api/yaml-text.ts";
import { lateOpenApi } from "#cluster/apiserver/http/late-openapi.ts";
import { serverPrograms } from "#cluster/images/server-programs.ts";
import * as customResources from "#cluster/resources/apiextensions/custom-resource-code.ts";
import { lateCustomResources } from "#cluster/resources/apiextensions/late-custom-resources.ts";
import { kubectl } from "#kubectl/kubectl.ts";
import { shellPrograms } from "#shell/commands.ts";
import { providePrograms } from "#sim/late-programs.ts";

/** The words of kubectl's help come after it, from who fetches them. */
export { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";

providePrograms(shellPrograms);
providePrograms(new Map([["kubectl", kubectl]]));
providePrograms(serverPrograms);
lateOpenApi.provide(openApi);
lateYaml.provide(parseAnyYaml);
lateCustomResources.provide(customResources);
