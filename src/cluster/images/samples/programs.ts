// The programs of the sample images, by the names that `image.ts` gives them.

import type { Program } from "#sim/program.ts";
import { helloApp } from "./hello-app.ts";
import { hey } from "./hey.ts";
import { hpaExample } from "./hpa-example.ts";
import { metricsAdapter } from "./metrics-adapter.ts";
import { perl } from "./perl.ts";
import { sampleDevicePlugin } from "./sample-device-plugin.ts";
import { stress } from "./stress.ts";
import { whoami } from "./whoami.ts";

export const samplePrograms: readonly (readonly [string, Program])[] = [
  ["sample/adapter", metricsAdapter],
  ["sample/apache2-foreground", hpaExample],
  ["sample/hello-app", helloApp],
  ["sample/hey", hey],
  ["sample/perl", perl],
  ["sample/perl5", perl],
  ["sample/sampledeviceplugin", sampleDevicePlugin],
  ["sample/stress", stress],
  ["sample/whoami", whoami],
];
