// Before every file of tests: worlds find the tools there.

import { provideTools } from "#world/tools.ts";

provideTools();
