// The picture of the cluster as it was at a time.

import { type KubeObject, qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { PastState } from "#history/past.ts";
import type { Recorder } from "#history/recorder.ts";
import type { StoredObjects } from "#world/happenings.ts";
import { ClusterViewer, type ViewOptions } from "./cluster-view.ts";
import type { PastView } from "./questions.ts";

export function pastView(objects: StoredObjects, recorder: Recorder, atMs: number, options: ViewOptions): PastView {
  const oldestMs = recorder.entries.at(0)?.timeMs ?? atMs;
  const shownMs = Math.max(atMs, oldestMs);
  const state = new PastState(objects, recorder, shownMs);
  // Each built-in kind of the picture is stored in the version that it is shown in; of custom kinds only what all versions share is read.
  const list = <T>(type: ResourceType<T>) => state.list(qualifiedResource(type)) as readonly KubeObject[] as readonly Stored<T>[];
  const cluster = new ClusterViewer().view(list, options);
  return { atMs: shownMs, cluster, oldestMs };
}
