// A component of the cluster: a shape for its part of the cluster, and its name.

import type { Component, ComponentGroup } from "#history/questions.ts";

const shapes: Readonly<Record<ComponentGroup, string>> = {
  client: "M3 3l9 5-9 5z",
  apiserver: "M2 3h12v10H2z",
  controller: "M8 2a6 6 0 1 0 6 6h-3a3 3 0 1 1-3-3z",
  scheduler: "M8 1l7 7-7 7-7-7z",
  node: "M8 1.5l6 3.4v6.2l-6 3.4-6-3.4V4.9z",
  addon: "M6 2h4v4h4v4h-4v4H6v-4H2V6h4z",
};

export function ComponentBadge({ component }: { readonly component: Component }) {
  return (
    <span class={`component component-${component.group}`} translate={false}>
      <svg width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[component.group]} />
      </svg>
      <span class="component-name">{component.name}</span>
    </span>
  );
}
