// What the maker of a TLS Secret is told of its pair (pkg/registry/core/secret: warningsForSecret), at each write.

import type { Secret } from "#cluster/api/generated/types.ts";
import { keyPairFault } from "#x509/key-pair.ts";

export function keyPairWarnings({ data = {} }: Secret): readonly string[] {
  const fault = keyPairFault(atob(data["tls.crt"] ?? ""), atob(data["tls.key"] ?? ""));
  return fault === undefined ? [] : [fault];
}
