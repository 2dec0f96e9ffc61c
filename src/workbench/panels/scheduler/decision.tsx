// One decision: every node with its verdict, and the scores of those that remained, as a table with bars.

import type { DecisionDetail } from "#history/questions.ts";
import { languageTags } from "../../../i18n/locales.ts";
import type { Desk } from "../../desk.ts";
import { fineClockText } from "../../times.ts";
import { useAnswer } from "../use-answer.ts";

interface DecisionProps {
  readonly desk: Desk;
  readonly sequence: number;
  readonly close: () => void;
}

export function Decision({ desk, sequence, close }: DecisionProps) {
  const { t } = desk;
  const answer = useAnswer(desk, "decision", { sequence }, { live: false }).value;
  if (answer?.sequence !== sequence) return <div class="decision" />;
  const feasible = answer.nodes.filter(({ refusedBy }) => refusedBy === "").length;
  const unseen = answer.totalNodes - answer.nodes.length;
  return (
    <section class="decision" aria-label={`Pod ${answer.pod.name}`}>
      <div class="detail-head">
        <h3>
          Pod <span class="detail-object">{answer.pod.name}</span>
        </h3>
        <button class="button small back" type="button" onClick={close}>
          {t("workbench.panels.back")}
        </button>
        <button class="button small" type="button" onClick={() => desk.inspect(answer.pod)}>
          {t("workbench.panels.inspect")}
        </button>
      </div>
      <p class="decision-facts">
        <time>{fineClockText(answer.timeMs)} UTC</time> · {t("workbench.panels.scheduler.attempt", { count: answer.attempt })} ·{" "}
        {t("workbench.panels.scheduler.looked", { feasible, total: answer.nodes.length })}
        {unseen > 0 && ` · ${t("workbench.panels.scheduler.unseen", { count: unseen })}`}
      </p>
      {answer.message !== "" && (
        <p class="said" translate={false}>
          {answer.message}
        </p>
      )}
      {answer.plugins.length === 0 && feasible === 1 && <p>{t("workbench.panels.scheduler.single")}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <div class="score-scroll" tabIndex={0}>
        <ScoreTable desk={desk} decision={answer} />
      </div>
    </section>
  );
}

function ScoreTable({ desk, decision }: { readonly desk: Desk; readonly decision: DecisionDetail }) {
  const { t } = desk;
  const { plugins, nodes } = decision;
  const most = Math.max(1, ...nodes.map(({ total }) => total));
  return (
    <table class="score-table">
      {plugins.length > 0 && (
        <caption>
          <span>{t("workbench.panels.scheduler.caption")}</span>
        </caption>
      )}
      <thead>
        <tr>
          <th scope="col">{t("workbench.panels.scheduler.node")}</th>
          <th scope="col">{t("workbench.panels.scheduler.verdict")}</th>
          {plugins.length > 0 && <th scope="col">{t("workbench.panels.scheduler.total")}</th>}
          {plugins.map(({ plugin, weight }) => (
            <th key={plugin} scope="col" translate={false}>
              {plugin}
              <span class="weight">{t("workbench.panels.scheduler.weight", { weight })}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <NodeRow key={node.nodeName} desk={desk} decision={decision} node={node} most={most} />
        ))}
      </tbody>
    </table>
  );
}

interface NodeRowProps {
  readonly desk: Desk;
  readonly decision: DecisionDetail;
  readonly node: DecisionDetail["nodes"][number];
  readonly most: number;
}

function NodeRow({ desk, decision, node, most }: NodeRowProps) {
  const { t } = desk;
  const { plugins, nodeName } = decision;
  const refused = node.refusedBy !== "";
  const isChosen = node.nodeName === nodeName;
  const number = new Intl.NumberFormat(languageTags[desk.locale]);
  return (
    <tr data-chosen={isChosen} data-refused={refused}>
      <th scope="row" translate={false}>
        <button class="link" type="button" onClick={() => desk.inspect({ resource: "nodes", namespace: "", name: node.nodeName })}>
          {node.nodeName}
        </button>
      </th>
      {refused ? (
        <td class="refusal" colSpan={plugins.length > 0 ? plugins.length + 2 : 1}>
          ✗ {t("workbench.panels.scheduler.refusedBy", { plugin: node.refusedBy })}
          <span class="reasons" translate={false}>
            {node.reasons.join("; ")}
          </span>
        </td>
      ) : (
        <>
          <td>{isChosen ? `✓ ${t("workbench.panels.scheduler.chosen")}` : t("workbench.panels.scheduler.feasible")}</td>
          {plugins.length > 0 && (
            <td class="total" data-column={t("workbench.panels.scheduler.total")}>
              <Bar share={node.total / most} /> {number.format(node.total)}
            </td>
          )}
          {node.scores.map(({ raw, normalized }, index) => {
            const plugin = plugins[index];
            return (
              <td
                key={plugin?.plugin ?? index}
                data-column={plugin && `${plugin.plugin} × ${plugin.weight}`}
                title={t("workbench.panels.scheduler.raw", { raw: number.format(raw) })}
              >
                <Bar share={normalized / 100} /> {number.format(normalized * (plugin?.weight ?? 1))}
              </td>
            );
          })}
        </>
      )}
    </tr>
  );
}

function Bar({ share }: { readonly share: number }) {
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width: `${Math.round(Math.max(0, Math.min(1, share)) * 100)}%` }} />
    </span>
  );
}
