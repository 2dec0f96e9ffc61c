// DefaultIngressClass: an Ingress that names no class gets the default one (plugin/pkg/admission/network/defaultingressclass).

import type { IngressSpec } from "#cluster/api/generated/types.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";
import { defaultClass } from "./default-class.ts";

const oldClassAnnotation = "kubernetes.io/ingress.class";

export function defaultIngressClass(store: Store): AdmissionPlugin {
  const classes = store.table("ingressclasses.networking.k8s.io");
  return {
    name: "DefaultIngressClass",
    operations: ["CREATE"],
    kind: "Ingress",
    handles: ofObjects,
    mutate({ object }) {
      const spec = (object["spec"] ?? {}) as IngressSpec;
      if (spec.ingressClassName !== undefined) return object;
      if (object.metadata.annotations?.[oldClassAnnotation] !== undefined) return object;
      const name = defaultClass(classes, "ingressclass.kubernetes.io/is-default-class");
      return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } };
    },
  };
}
