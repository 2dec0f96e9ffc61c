// Services as plates with lines to their endpoints. Pointing at one lights its Pods; choosing it opens the inspector.

import type { Signal } from "@preact/signals";
import type { ServiceView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import type { Highlight } from "./highlight.ts";
import { itemProps } from "./items.ts";
import { keyOf, type Link } from "./links.ts";
import type { PlacedService, Plate } from "./plates.ts";

interface LinksProps {
  readonly links: readonly Link[];
  readonly highlighted: Highlight;
}

export function Links({ links, highlighted }: LinksProps) {
  return (
    <g class="links">
      {links.map((link) => (
        <path key={link.key} d={link.path} data-lit={isLit(link, highlighted)} />
      ))}
    </g>
  );
}

/** Where the lines end, above all that stands there. */
export function LinkEnds({ links, highlighted }: LinksProps) {
  return (
    <g class="link-ends">
      {links.map((link) => (
        <circle key={link.key} cx={link.end.x} cy={link.end.y} r="3" data-lit={isLit(link, highlighted)} />
      ))}
    </g>
  );
}

function isLit({ service }: Link, highlighted: Highlight): boolean | undefined {
  if (highlighted?.kind !== "service") return undefined;
  return highlighted.namespace === service.namespace && highlighted.name === service.name;
}

interface ServicePlateProps {
  readonly desk: Desk;
  readonly placed: PlacedService;
  readonly highlighted: Signal<Highlight>;
}

export function ServicePlate({ desk, placed, highlighted }: ServicePlateProps) {
  const { service } = placed;
  const { namespace, name } = service;
  const light = (): void => {
    highlighted.value = { kind: "service", namespace, name };
  };
  const dim = (): void => {
    highlighted.value = undefined;
  };
  const words = inWords(desk, service);
  return (
    <g
      class="plate"
      data-empty={service.endpoints.length === 0}
      transform={`translate(${placed.x} ${placed.y})`}
      onPointerEnter={light}
      onPointerLeave={dim}
      onFocusIn={light}
      onFocusOut={dim}
      {...itemProps(`services/${keyOf(service)}`, words, false)}
    >
      <title>{words}</title>
      <PlateBox plate={placed} />
      {/* One way in, several out. */}
      <path class="plate-glyph" d="M8 13h4M12 13l6-5M12 13h6M12 13l6 5" />
      <PlateText plate={placed} />
    </g>
  );
}

/** The learner's machine. */
export function TerminalPlate({ plate }: { readonly plate: Plate }) {
  return (
    <g class="plate terminal" transform={`translate(${plate.x} ${plate.y})`}>
      <PlateBox plate={plate} />
      <path class="plate-glyph" d="M8 9l4 4-4 4M13 17h5" />
      <PlateText plate={plate} />
    </g>
  );
}

/** How many Services more there are. */
export function MorePlate({ plate }: { readonly plate: Plate }) {
  return (
    <g class="plate more" transform={`translate(${plate.x} ${plate.y})`}>
      <text x="4" y={plate.height / 2 + 4.5}>
        {plate.text}
      </text>
    </g>
  );
}

export function PlateBox({ plate }: { readonly plate: Plate }) {
  return <rect x="0.75" y="0.75" width={plate.width - 1.5} height={plate.height - 1.5} rx="4" />;
}

function PlateText({ plate }: { readonly plate: Plate }) {
  return (
    <text x="24" y={plate.height / 2 + 4.5}>
      {plate.text}
    </text>
  );
}

function inWords({ t }: Desk, { namespace, name, type, clusterIp, endpoints }: ServiceView): string {
  return [
    `Service ${namespace}/${name}`,
    `${type} ${clusterIp}`,
    t("workbench.picture.endpoints", { count: endpoints.length }),
  ].join("\n");
}
