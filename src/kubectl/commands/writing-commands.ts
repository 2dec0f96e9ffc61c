// Commands that make and change objects, describe and explain them, and those that need more than a request.

import type { Command } from "../context.ts";
import { apply } from "./apply/apply.ts";
import { editLastApplied, setLastApplied, viewLastApplied } from "./apply/apply-last.ts";
import { autoscale } from "./autoscale.ts";
import { certificateApprove, certificateDeny } from "./certificate.ts";
import { clusterInfoDump } from "./cluster-info/cluster-info-dump.ts";
import { completion } from "./completion.ts";
import { cp } from "./cp.ts";
import { create } from "./create/create.ts";
import { createClusterRoleBinding, createRoleBinding } from "./create/create-binding.ts";
import { createConfigMap } from "./create/create-configmap.ts";
import { createDeployment } from "./create/create-deployment.ts";
import { createIngress } from "./create/create-ingress.ts";
import { createCronJob, createJob } from "./create/create-job.ts";
import { createPodDisruptionBudget, createPriorityClass, createQuota } from "./create/create-limits.ts";
import { createClusterRole, createRole } from "./create/create-role.ts";
import { createSecretDockerRegistry, createSecretGeneric, createSecretTls } from "./create/create-secret.ts";
import { createServiceCommands } from "./create/create-service.ts";
import { createNamespace, createServiceAccount } from "./create/create-small.ts";
import { createToken } from "./create/create-token.ts";
import { debug } from "./debug/debug.ts";
import { describe } from "./describe.ts";
import { edit } from "./edit.ts";
import { explain } from "./explain.ts";
import { expose } from "./expose/expose.ts";
import { kustomize } from "./kustomize.ts";
import { proxy } from "./proxy.ts";
import { replace } from "./replace.ts";
import { rolloutPause, rolloutRestart, rolloutResume } from "./rollout/rollout-change.ts";
import { rolloutHistory } from "./rollout/rollout-history.ts";
import { rolloutStatus } from "./rollout/rollout-status.ts";
import { rolloutUndo } from "./rollout/rollout-undo.ts";
import { setEnv } from "./set/set-env.ts";
import { setSelector, setServiceAccount, setSubject } from "./set/set-fields.ts";
import { setImage } from "./set/set-image.ts";
import { setResources } from "./set/set-resources.ts";

export const writingCommands: readonly Command[] = [
  apply,
  autoscale,
  certificateApprove,
  certificateDeny,
  clusterInfoDump,
  completion,
  cp,
  create,
  createClusterRole,
  createClusterRoleBinding,
  createConfigMap,
  createCronJob,
  createDeployment,
  createIngress,
  createJob,
  createNamespace,
  createPodDisruptionBudget,
  createPriorityClass,
  createQuota,
  createRole,
  createRoleBinding,
  createSecretDockerRegistry,
  createSecretGeneric,
  createSecretTls,
  createServiceAccount,
  createToken,
  ...createServiceCommands,
  debug,
  describe,
  edit,
  explain,
  expose,
  kustomize,
  proxy,
  replace,
  rolloutHistory,
  rolloutPause,
  rolloutRestart,
  rolloutResume,
  rolloutStatus,
  rolloutUndo,
  setEnv,
  setImage,
  editLastApplied,
  setLastApplied,
  setResources,
  setSelector,
  setServiceAccount,
  setSubject,
  viewLastApplied,
];
