// Which Ingresses are this controller's: by the class that they name, by the annotation of old, or without any.

import type { Ingress } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";
import type { IngressFlags } from "./flags.ts";

const classAnnotation = "kubernetes.io/ingress.class";

/** The class, `_` for none; or why it is none of ours. */
export type ClassOf = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly error: string };

/** `knows`: whether an IngressClass of that name belongs to the controller; undefined where it may not read classes. */
export function classOf(
  { spec, metadata }: Stored<Ingress>,
  flags: Pick<IngressFlags, "ingressClass" | "watchWithoutClass">,
  knows: ((name: string) => boolean) | undefined,
): ClassOf {
  const name = spec?.ingressClassName;
  if (knows !== undefined && name !== undefined)
    return knows(name) ? { ok: true, name } : { ok: false, error: `no object matching key ${JSON.stringify(name)} in local store` };
  const annotation = metadata.annotations?.[classAnnotation];
  if (annotation !== undefined) {
    if (annotation === flags.ingressClass) return { ok: true, name: annotation };
    return { ok: false, error: "ingress class annotation is not equal to the expected by Ingress Controller" };
  }
  return flags.watchWithoutClass ? { ok: true, name: "_" } : { ok: false, error: "ingress does not contain a valid IngressClass" };
}

/** It wants all that nobody else has. */
export function isCatchAll({ spec }: Stored<Ingress>): boolean {
  return spec?.defaultBackend !== undefined;
}
