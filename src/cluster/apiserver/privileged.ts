// `--allow-privileged`: a server without it takes no privileged container, in Pods and in templates of Pods (pkg/capabilities,
// ValidateSecurityContext).

import type { KubeObject } from "#cluster/api/objects.ts";
import { podSpecOf } from "#cluster/api/pod-templates.ts";
import { forEachContainer } from "#cluster/resources/core/pods/container-visiting.ts";
import { type FieldErrors, field } from "#cluster/resources/field-errors.ts";

export function forbidPrivileged(object: KubeObject, errors: FieldErrors): void {
  const found = podSpecOf(object);
  if (found === undefined) return;
  forEachContainer(found.spec, field(...found.path), ({ securityContext }, at) => {
    if (securityContext?.privileged !== true) return;
    errors.forbidden(at().child("securityContext", "privileged"), "disallowed by cluster policy");
  });
}

/** Out of a command line: without the flag it is not allowed. Throws Error for a value that is no boolean. */
export function allowsPrivileged(argv: readonly string[]): boolean {
  const flag = "--allow-privileged";
  const given = argv.findLast((argument) => argument === flag || argument.startsWith(`${flag}=`));
  if (given === undefined) return false;
  const value = given === flag ? "true" : given.slice(flag.length + 1);
  if (/^(1|t|true)$/i.test(value)) return true;
  if (/^(0|f|false)$/i.test(value)) return false;
  throw new Error(
    `invalid argument ${JSON.stringify(value)} for "--allow-privileged" flag: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}
