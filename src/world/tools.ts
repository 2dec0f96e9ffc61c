// The code of the shell's commands and of kubectl, provided to all worlds. Whoever makes a world imports it; a browser's worker
// does so while the cluster starts.

import { kubectl } from "#kubectl/kubectl.ts";
import { shellPrograms } from "#shell/commands.ts";
import { providePrograms } from "#sim/late-programs.ts";

providePrograms(shellPrograms);
providePrograms(new Map([["kubectl", kubectl]]));
