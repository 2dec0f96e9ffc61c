// Commands that make and change objects, describe and explain them, and those that need more than a request.

import type { Command } from "../context.ts";
import { apply } from "./apply.ts";
import { editLastApplied, setLastApplied, viewLastApplied } from "./apply-last.ts";
import { autoscale } from "./autoscale.ts";
import { certificateApprove, certificateDeny } from "./certificate.ts";
import { clusterInfoDump } from "./cluster-info-dump.ts";
import { completion } from "./completion.ts";
import { cp } from "./cp.ts";
import { create } from "./create.ts";
import { createClusterRoleBinding, createRoleBinding } from "./create-binding.ts";
import { createConfigMap } from "./create-configmap.ts";
import { createDeployment } from "./create-deployment.ts";
import { createIngress } from "./create-ingress.ts";
import { createCronJob, createJob } from "./create-job.ts";
import { createPodDisruptionBudget, createPriorityClass, createQuota } from "./create-limits.ts";
import { createClusterRole, createRole } from "./create-role.ts";
import { createSecretDockerRegistry, createSecretGeneric, createSecretTls } from "./create-secret.ts";
import { createServiceCommands } from "./create-service.ts";
import { createNamespace, createServiceAccount } from "./create-small.ts";
import { createToken } from "./create-token.ts";
import { debug } from "./debug.ts";
import { describe } from "./describe.ts";
import { edit } from "./edit.ts";
import { explain } from "./explain.ts";
import { expose } from "./expose.ts";
import { kustomize } from "./kustomize.ts";
import { proxy } from "./proxy.ts";
import { replace } from "./replace.ts";
import { rolloutPause, rolloutRestart, rolloutResume } from "./rollout-change.ts";
import { rolloutHistory } from "./rollout-history.ts";
import { rolloutStatus } from "./rollout-status.ts";
import { rolloutUndo } from "./rollout-undo.ts";
import { setEnv } from "./set-env.ts";
import { setSelector, setServiceAccount, setSubject } from "./set-fields.ts";
import { setImage } from "./set-image.ts";
import { setResources } from "./set-resources.ts";

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
