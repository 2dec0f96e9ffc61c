import type { ServiceAccount } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";

/** The blanks under `Image pull secrets:` are printed as they are. */
const pullHeader = "Image pull secrets:";

export const describeServiceAccount: Describer<Stored<ServiceAccount>> = function* ({ metadata, imagePullSecrets }, lookup) {
  const { name, namespace = "", uid } = metadata;
  const events = yield* lookup.events({ name, namespace, kind: "ServiceAccount", uid });
  const out = new Description();
  out.field("Name", name);
  out.field("Namespace", namespace);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  const names = (imagePullSecrets ?? []).map((secret) => secret.name ?? "");
  if (names.length === 0) out.line(`${pullHeader}\t<none>`);
  for (const [index, secret] of names.entries()) out.line(`${index === 0 ? pullHeader : " ".repeat(pullHeader.length)}\t${secret}`);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};
