// One object's sheet: a head that stays, and below it one of its views.

import { useSignal } from "@preact/signals";
import { refText } from "#history/object-ref.ts";
import type { ObjectRef, ObjectView } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { clockText } from "../../times.ts";
import { Yaml } from "../yaml-diff.tsx";
import { Versions } from "./versions.tsx";

const views = ["summary", "yaml", "events", "versions"] as const;

export function ObjectSheet({ desk, view }: { readonly desk: Desk; readonly view: ObjectView }) {
  const { t } = desk;
  const shown = useSignal<(typeof views)[number]>("summary");
  return (
    <section class="sheet" aria-label={`${view.kind} ${view.ref.name}`}>
      <div class="sheet-head">
        <h3>
          {view.kind} <span class="detail-object">{view.ref.name}</span>
          {view.gone && <span class="gone">{t("workbench.panels.inspector.gone")}</span>}
        </h3>
        <fieldset class="bare switch" aria-label={t("workbench.panels.inspector.views")}>
          {views.map((name) => (
            <button key={name} type="button" aria-pressed={shown.value === name} onClick={() => (shown.value = name)}>
              {t(`workbench.panels.inspector.${name}`)}
              {name === "events" && view.events.length > 0 && ` ${view.events.length}`}
            </button>
          ))}
        </fieldset>
        <button class="button small" type="button" onClick={() => desk.openPanel("timeline", refText(view.ref))}>
          {t("workbench.panels.inspector.history")}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <div class="sheet-body" tabIndex={0}>
        {shown.value === "summary" && <Summary desk={desk} view={view} />}
        {shown.value === "yaml" && <Yaml text={view.yaml} />}
        {shown.value === "events" && <Events desk={desk} view={view} />}
        {shown.value === "versions" && <Versions desk={desk} view={view} />}
      </div>
    </section>
  );
}

function Summary({ desk, view }: { readonly desk: Desk; readonly view: ObjectView }) {
  const { t } = desk;
  return (
    <>
      <dl class="facts">
        {view.ref.namespace !== "" && (
          <div>
            <dt>NAMESPACE</dt>
            <dd translate={false}>{view.ref.namespace}</dd>
          </div>
        )}
        {view.columns
          .filter(({ value }) => value !== "")
          .map(({ name, value }) => (
            <div key={name}>
              <dt translate={false}>{name.toUpperCase()}</dt>
              <dd translate={false}>{value}</dd>
            </div>
          ))}
      </dl>
      {view.kind === "Node" && !view.gone && <Machine desk={desk} name={view.ref.name} />}
      {view.owners.length > 1 && (
        <Group title={t("workbench.panels.inspector.owners")}>
          <ol class="chain">
            {view.owners.map((owner) => (
              <li key={refText(owner)} data-gone={owner.gone}>
                <ObjectLink desk={desk} object={owner} here={refText(owner) === refText(view.ref)} />
              </li>
            ))}
          </ol>
        </Group>
      )}
      {view.owned.length > 0 && (
        <Group title={t("workbench.panels.inspector.owned")}>
          <ul class="owned">
            {view.owned.map((owned) => (
              <li key={refText(owned)}>
                <ObjectLink desk={desk} object={owned} here={false} />
              </li>
            ))}
          </ul>
        </Group>
      )}
      {view.labels.length > 0 && (
        <Group title={t("workbench.panels.inspector.labels")}>
          <ul class="labels" translate={false}>
            {view.labels.map(([name, value]) => (
              <li key={name}>
                <code>
                  {name}={value}
                </code>
              </li>
            ))}
          </ul>
        </Group>
      )}
    </>
  );
}

const switches = [
  ["powerOff", "virsh destroy"],
  ["powerOn", "virsh start"],
  ["reboot", "virsh reboot"],
] as const;

/** A node's power: each switch types its command, and the terminal shows what came of it. */
function Machine({ desk, name }: { readonly desk: Desk; readonly name: string }) {
  const { t } = desk;
  return (
    <Group title={t("workbench.panels.inspector.machine")}>
      <ul class="switches">
        {switches.map(([word, command]) => (
          <li key={word}>
            <button class="button small" type="button" onClick={() => desk.run(`${command} ${name}`)}>
              {t(`workbench.panels.inspector.${word}`)}
            </button>{" "}
            <code translate={false}>
              {command} {name}
            </code>
          </li>
        ))}
      </ul>
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <div class="sheet-group">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

interface ObjectLinkProps {
  readonly desk: Desk;
  readonly object: ObjectRef & { readonly kind: string };
  /** The object that is shown already. */
  readonly here: boolean;
}

function ObjectLink({ desk, object, here }: ObjectLinkProps) {
  const words = (
    <>
      {object.kind} <strong>{object.name}</strong>
    </>
  );
  if (here || object.resource === "") return <span aria-current={here}>{words}</span>;
  return (
    <button class="link" type="button" onClick={() => desk.inspect(object)}>
      {words}
    </button>
  );
}

function Events({ desk, view }: { readonly desk: Desk; readonly view: ObjectView }) {
  const { t } = desk;
  if (view.events.length === 0) return <p class="panel-note">{t("workbench.panels.inspector.noEvents")}</p>;
  return (
    <table class="pod-table event-table" translate={false}>
      <caption class="visually-hidden">{t("workbench.panels.inspector.events")}</caption>
      <thead>
        <tr>
          {["LAST SEEN", "TYPE", "REASON", "FROM", "MESSAGE"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.events.map((event) => (
          <tr key={`${event.reason}/${event.lastMs}/${event.message}`} data-bad={event.type === "Warning"}>
            <td>
              {clockText(event.lastMs)}
              {event.count > 1 && ` ×${event.count}`}
            </td>
            <td>{event.type}</td>
            <th scope="row">{event.reason}</th>
            <td>{event.source}</td>
            <td class="message">{event.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
