// When one container is started again, other than its pod says (pkg/apis/core/validation: validateContainerRestartPolicy;
// the gates ContainerRestartRules and RestartAllContainersOnContainerExits are on).

import type { Container } from "#cluster/api/generated/types.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";

const policies = ["Always", "Never", "OnFailure"];
const actions = ["Restart", "RestartAllContainers"];
const operators = ["In", "NotIn"];
const maxRules = 20;
const maxExitCodes = 255;

export function validateRestartRules(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  path: Path,
  errors: FieldErrors,
): void {
  if (restartPolicy === undefined) {
    if (rules.length > 0) {
      errors.required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
    }
  } else if (!policies.includes(restartPolicy)) errors.notSupported(path.child("restartPolicy"), restartPolicy, policies);
  if (rules.length > maxRules) errors.tooMany(path.child("restartPolicyRules"), rules.length, maxRules);
  for (const [index, { action = "", exitCodes }] of rules.entries()) {
    const at = path.child("restartPolicyRules").index(index);
    if (!actions.includes(action)) errors.notSupported(at.child("action"), action, actions);
    if (exitCodes === undefined) {
      errors.required(at.child("exitCodes"), "must be specified");
      continue;
    }
    const { operator = "", values = [] } = exitCodes;
    if (!operators.includes(operator)) errors.notSupported(at.child("exitCodes", "operator"), operator, operators);
    if (values.length > maxExitCodes) errors.tooMany(at.child("exitCodes", "values"), values.length, maxExitCodes);
  }
}
