// Commands that make and change objects, and describe.

import type { Command } from "../context.ts";
import { apply } from "./apply.ts";
import { create } from "./create.ts";
import { createClusterRoleBinding, createRoleBinding } from "./create-bindings.ts";
import { createConfigMap, createSecretGeneric } from "./create-configmap.ts";
import { createDeployment } from "./create-deployment.ts";
import { createClusterRole, createRole } from "./create-roles.ts";
import { createServiceCommands } from "./create-service.ts";
import { createJob, createNamespace, createServiceAccount } from "./create-small.ts";
import { createToken } from "./create-token.ts";
import { describe } from "./describe.ts";
import { edit } from "./edit.ts";
import { explain } from "./explain.ts";
import { expose } from "./expose.ts";
import { replace } from "./replace.ts";
import { rolloutPause, rolloutRestart, rolloutResume } from "./rollout-change.ts";
import { rolloutHistory } from "./rollout-history.ts";
import { rolloutStatus } from "./rollout-status.ts";
import { rolloutUndo } from "./rollout-undo.ts";
import { setEnv } from "./set-env.ts";
import { setImage } from "./set-image.ts";
import { setResources } from "./set-resources.ts";

export const writingCommands: readonly Command[] = [
  apply,
  create,
  createClusterRole,
  createClusterRoleBinding,
  createConfigMap,
  createDeployment,
  createJob,
  createNamespace,
  createRole,
  createRoleBinding,
  createSecretGeneric,
  createServiceAccount,
  ...createServiceCommands,
  createToken,
  describe,
  edit,
  explain,
  expose,
  replace,
  rolloutHistory,
  rolloutPause,
  rolloutRestart,
  rolloutResume,
  rolloutStatus,
  rolloutUndo,
  setEnv,
  setImage,
  setResources,
];
