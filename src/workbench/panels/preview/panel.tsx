// The browser preview: what Pods serve, fetched by a browser on the learner's machine.

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { BrowsedPage } from "#world/browser.ts";
import type { Desk } from "../../desk.ts";
import { Icon } from "../../icon.tsx";
import type { PanelProps } from "../panel-props.ts";
import "./preview.css";
import { FramedPage } from "./framed-page.tsx";

type Showing =
  | { readonly kind: "nothing" }
  | { readonly kind: "waiting"; readonly url: string }
  | { readonly kind: "stopped" }
  | BrowsedPage;

export function Panel({ desk, argument }: PanelProps) {
  const { t } = desk;
  const address = useSignal(argument);
  const showing = useSignal<Showing>({ kind: "nothing" });
  /** Counts visits: an answer that comes after the next address was entered is not shown. */
  const visit = useRef(0);
  const open = (url: string): void => {
    if (url.trim() === "") return;
    address.value = url;
    showing.value = { kind: "waiting", url };
    const mine = ++visit.current;
    const show = (next: Showing): void => {
      if (mine !== visit.current) return;
      showing.value = next;
      if (next.kind === "page") address.value = next.url;
    };
    desk.session.browse(url).then(show, () => show({ kind: "stopped" }));
  };
  useEffect(() => {
    if (argument !== "") open(argument);
  }, [argument]);
  return (
    <div class="preview">
      <AddressBar desk={desk} address={address.value} change={(url) => (address.value = url)} open={open} />
      <Suggestions desk={desk} open={open} />
      <div class="preview-answer" role="status">
        <Answer desk={desk} showing={showing.value} />
      </div>
      {showing.value.kind === "page" && (
        <FramedPage page={showing.value} title={t("workbench.panels.preview.page")} follow={open} />
      )}
    </div>
  );
}

interface AddressBarProps {
  readonly desk: Desk;
  readonly address: string;
  readonly change: (url: string) => void;
  readonly open: (url: string) => void;
}

function AddressBar({ desk, address, change, open }: AddressBarProps) {
  const { t } = desk;
  const id = useId();
  return (
    <form
      class="preview-bar"
      onSubmit={(event) => {
        event.preventDefault();
        open(address);
      }}
    >
      <label class="visually-hidden" for={id}>
        {t("workbench.panels.preview.address")}
      </label>
      <input
        id={id}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        placeholder="node-1:30080"
        value={address}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <button class="button small primary" type="submit">
        {t("workbench.panels.preview.go")}
      </button>
    </form>
  );
}

/** Services that a machine outside the cluster reaches. */
function Suggestions({ desk, open }: { readonly desk: Desk; readonly open: (url: string) => void }) {
  const { nodes, services } = desk.session.cluster.value;
  const node = nodes.find(({ controlPlane, ready }) => ready && !controlPlane)?.name ?? nodes[0]?.name;
  const doors = services.flatMap(({ namespace, name, nodePorts }) =>
    nodePorts.map((port) => ({ namespace, name, url: `${node}:${port}` })),
  );
  if (doors.length === 0) return <p class="preview-note">{desk.t("workbench.panels.preview.noDoors")}</p>;
  return (
    <ul class="preview-doors" aria-label={desk.t("workbench.panels.preview.doors")}>
      {doors.map(({ namespace, name, url }) => (
        <li key={url}>
          <button class="button small quiet" type="button" onClick={() => open(url)}>
            {namespace === "default" ? name : `${namespace}/${name}`} <code>{url}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Answer({ desk, showing }: { readonly desk: Desk; readonly showing: Showing }) {
  const { t } = desk;
  switch (showing.kind) {
    case "nothing":
      return null;
    case "waiting":
      return (
        <p class="notice-late">
          {t(desk.session.clock.view.value.paused ? "workbench.panels.preview.paused" : "workbench.panels.preview.waiting", {
            url: showing.url,
          })}
        </p>
      );
    case "stopped":
      return <p>{t("workbench.panels.preview.stopped")}</p>;
    case "failed":
      return (
        <p class="preview-failed">
          <strong>{t("workbench.panels.preview.failed", { url: showing.url })}</strong>{" "}
          {t(`workbench.panels.preview.failure.${showing.failure}`)}
        </p>
      );
    case "page":
      return (
        <p class="preview-status" data-good={showing.status < 400}>
          <Icon name={showing.status < 400 ? "check" : "close"} />{" "}
          <code>
            {showing.status} {showing.reason}
          </code>{" "}
          <span class="soft">
            {showing.contentType} · {showing.elapsedMs} ms
          </span>
        </p>
      );
  }
}
