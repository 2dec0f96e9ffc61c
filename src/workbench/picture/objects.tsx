// The objects of the lab as plates, with the lines of what owns, holds or uses what.

import type { Signal } from "@preact/signals";
import type { ShownObject } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import type { Highlight } from "./highlight.ts";
import { itemProps } from "./items.ts";
import type { PlacedObject } from "./plates.ts";
import { PlateBox } from "./services.tsx";
import type { DrawnTie } from "./ties.ts";
import "./objects.css";

export function Ties({ ties }: { readonly ties: readonly DrawnTie[] }) {
  return (
    <g class="ties">
      <defs>
        <marker
          id="owner-head"
          viewBox="0 0 8 8"
          refX="3"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0.5L8 4L0 7.5z" />
        </marker>
      </defs>
      {ties.map(({ key, kind, path, start, lit }) => (
        <g key={key} class={`tie-${kind}`} data-lit={lit}>
          <path class="tie" d={path} />
          {kind === "bond" && <circle cx={start.x} cy={start.y} r="2.6" />}
        </g>
      ))}
    </g>
  );
}

interface ObjectPlateProps {
  readonly desk: Desk;
  readonly placed: PlacedObject;
  readonly highlighted: Signal<Highlight>;
}

export function ObjectPlate({ desk, placed, highlighted }: ObjectPlateProps) {
  const { object, head, text, foot } = placed;
  const light = (): void => {
    highlighted.value = { kind: "object", uid: object.uid };
  };
  const dim = (): void => {
    highlighted.value = undefined;
  };
  const words = objectInWords(desk, object);
  return (
    <g
      class="plate object"
      data-deleting={object.deleting}
      data-kind={object.kind}
      transform={`translate(${placed.x} ${placed.y})`}
      onPointerEnter={light}
      onPointerLeave={dim}
      onFocusIn={light}
      onFocusOut={dim}
      {...itemProps(`${object.resource}/${object.namespace}/${object.name}`, words, false)}
    >
      <title>{words}</title>
      <PlateBox plate={placed} />
      <text class="plate-head" x="10" y="15">
        {head}
      </text>
      <text x="10" y="31">
        {text}
      </text>
      {foot !== "" && (
        <>
          {/* A lock: nothing goes while it is there. */}
          <path class="plate-lock" d="M11 42h7v5h-7zM12.5 42v-2a2 2 0 0 1 4 0v2" />
          <text class="plate-foot" x="23" y="47">
            {foot}
          </text>
        </>
      )}
    </g>
  );
}

function objectInWords({ t }: Desk, object: ShownObject): string {
  const { kind, namespace, name, text, deleting, finalizers, owners } = object;
  return [
    `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`,
    text,
    deleting ? t("workbench.picture.deleting") : "",
    finalizers.length === 0 ? "" : `finalizers: ${finalizers.join(", ")}`,
    owners.length === 0 ? "" : `ownerReferences: ${owners.map((owner) => `${owner.kind}/${owner.name}`).join(", ")}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
