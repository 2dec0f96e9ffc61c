// For tests of kinds: what a write is made with.

import type { WriteFacts } from "./definition.ts";

/** 2026-01-01T00:00:00Z, by an administrator. */
export const testFacts: WriteFacts = {
  nowMs: 1_767_225_600_000,
  user: { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
};
