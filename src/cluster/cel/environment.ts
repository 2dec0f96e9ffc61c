// The CEL that Kubernetes speaks: the language's library with Kubernetes' own functions (apiserver, pkg/cel/library). Where an
// expression is used adds its variables.

import { Environment } from "@marcbachmann/cel-js";
import { addListFunctions } from "./lists.ts";
import { addNetworkFunctions } from "./network.ts";
import { addQuantityFunctions } from "./quantities.ts";
import { addReplacedFunctions } from "./replaced-functions.ts";
import { addSemverFunctions } from "./semver.ts";
import { addStringFunctions } from "./strings.ts";

let base: Environment | undefined;

/** A copy of the common environment, to register variables in. */
export function kubernetesEnvironment(): Environment {
  base ??= makeEnvironment();
  return base.clone();
}

function makeEnvironment(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  addStringFunctions(environment);
  addListFunctions(environment);
  addQuantityFunctions(environment);
  addNetworkFunctions(environment);
  addSemverFunctions(environment);
  addReplacedFunctions(environment);
  return environment;
}
