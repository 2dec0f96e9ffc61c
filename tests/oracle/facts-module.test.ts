import { expect, it } from "vitest";
import { goModuleFor } from "./facts-module.ts";

it("builds against another release with what it pins, and its own modules as they are published", () => {
  const pinned = `module ours

go 1.26.0

require (
\tgithub.com/spf13/cobra v1.10.2
\tgithub.com/only/ours v1.0.0
\tk8s.io/api v0.36.3
\tk8s.io/kubernetes v1.36.3
)

require github.com/left/out v1.0.0 // indirect
`;
  const released = `module k8s.io/kubernetes

go 1.25.0

godebug default=go1.25

require (
\tgithub.com/spf13/cobra v1.9.1
\tk8s.io/api v0.0.0
\tk8s.io/klog/v2 v2.130.1
)

require (
\tcel.dev/expr v0.24.0 // indirect
)

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
)
`;
  expect(goModuleFor("v1.35.0-rc.1", pinned, released)).toBe(`module pilothouse/tests/oracle/facts

go 1.25.0

require (
\tgithub.com/spf13/cobra v1.9.1
\tk8s.io/api v0.35.0-rc.1
\tk8s.io/klog/v2 v2.130.1
\tcel.dev/expr v0.24.0
\tk8s.io/kubernetes v1.35.0-rc.1
\tgithub.com/only/ours v1.0.0
)

replace (
\tk8s.io/api => k8s.io/api v0.35.0-rc.1
)
`);
});
