// DefaultIngressClass: an Ingress that names no class gets the default one (plugin/pkg/admission/network/defaultingressclass).

import type { IngressSpec } from "#cluster/api/generated/types.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionPlugin } from "./chain.ts";
import { defaultClass } from "./default-class.ts";

const oldClassAnnotation = "kubernetes.io/ingress.class";

export function defaultIngressClass(store: Store): AdmissionPlugin {
  const classes = store.table("ingressclasses.networking.k8s.io");
  return {
    name: "DefaultIngressClass",
    operations: ["CREATE"],
    kind: "Ingress",
    mutate({ object, subresource }) {
      const spec = (object["spec"] ?? {}) as IngressSpec;
      if (subresource !== "" || spec.ingressClassName !== undefined) return object;
      if (object.metadata.annotations?.[oldClassAnnotation] !== undefined) return object;
      const name = defaultClass(classes, "ingressclass.kubernetes.io/is-default-class");
      return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } };
    },
  };
}
