// `npm run test:oracle [-- COMMAND … --show --scenario WORDS --accept REASON --sample]`: the real kubectl as critic of our API server and of our own
// kubectl. Without names of commands, the facts of Go and of the release and the door for real clients are checked first. Where there is no Go and no kubectl this says
// so and stops, which CI takes for a failure.

import { parseArgs } from "node:util";
import { compareKubectls } from "./compare.ts";
import { checkDoor } from "./door-checks.ts";
import { findKubectl } from "./find-kubectl.ts";
import { checkGoFacts } from "./go-facts.ts";
import { checkRelease } from "./release-checks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: "boolean" },
    scenario: { type: "string" },
    accept: { type: "string" },
    sample: { type: "boolean" },
  },
});
const kubectl = findKubectl();
if (kubectl === undefined) {
  console.log(
    "oracle: neither Go nor kubectl is here; install one, or set PILOTHOUSE_KUBECTL to the path of a kubectl. Nothing was checked.",
  );
  process.exit(process.env["CI"] === "true" ? 1 : 0);
}
const whole = positionals.length === 0 && values.scenario === undefined && values.accept === undefined && values.show !== true;
const factsHold = whole ? [checkGoFacts(), checkRelease()].every(Boolean) : true;
const doorHolds = whole ? await checkDoor(kubectl) : true;
const same = await compareKubectls({
  kubectl,
  commands: positionals,
  show: values.show === true,
  scenario: values.scenario,
  accept: values.accept,
  sample: values.sample === true,
});
process.exit(factsHold && doorHolds && same ? 0 : 1);
