// The panels there are. Each is a download of its own that comes when the panel is first opened; its tab stands beside the
// terminals' in the lower zone.

import type { ComponentType } from "preact";
import type { LabSession } from "#lab/session.ts";
import type { StringKey } from "../i18n/translator.ts";
import type { IconName } from "./icons.ts";
import type { PanelProps } from "./panels/panel-props.ts";

export interface PanelDefinition {
  readonly id: string;
  /** A UI string's key. */
  readonly titleKey: StringKey;
  readonly icon: IconName;
  /** Whether it has anything to show now; without it: always. */
  readonly isOffered?: (session: LabSession) => boolean;
  load(): Promise<{ readonly Panel: ComponentType<PanelProps> }>;
}

/** In the order of the menu that opens them. */
export const panels: readonly PanelDefinition[] = [
  {
    id: "editor",
    titleKey: "workbench.panels.editor.title",
    icon: "edit",
    load: () => import("./panels/editor/panel.tsx"),
  },
  {
    id: "preview",
    titleKey: "workbench.panels.preview.title",
    icon: "browser",
    load: () => import("./panels/preview/panel.tsx"),
  },
  {
    id: "timeline",
    titleKey: "workbench.panels.timeline.title",
    icon: "timeline",
    load: () => import("./panels/timeline/panel.tsx"),
  },
  {
    id: "inspector",
    titleKey: "workbench.panels.inspector.title",
    icon: "inspect",
    load: () => import("./panels/inspector/panel.tsx"),
  },
  {
    id: "scheduler",
    titleKey: "workbench.panels.scheduler.title",
    icon: "scheduler",
    load: () => import("./panels/scheduler/panel.tsx"),
  },
  {
    id: "review",
    titleKey: "workbench.review.title",
    icon: "review",
    isOffered: (session) => session.review.open.value,
    load: () => import("./panels/review/panel.tsx"),
  },
];

/** Those that have something to show. */
export function offeredPanels(session: LabSession): readonly PanelDefinition[] {
  return panels.filter(({ isOffered }) => isOffered?.(session) ?? true);
}

export function panelById(id: string): PanelDefinition | undefined {
  return panels.find((panel) => panel.id === id);
}
