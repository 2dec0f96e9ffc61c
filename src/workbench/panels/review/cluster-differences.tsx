// Where the learner's cluster is not as the reference solutions leave theirs: computed when it is first looked at.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { refText } from "#history/object-ref.ts";
import type { ObjectDifference } from "#lab/session.ts";
import type { Desk } from "../../desk.ts";
import { YamlDiff } from "../yaml-diff.tsx";

type Comparison = readonly ObjectDifference[] | "waiting" | "failed";

export function ClusterDifferences({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t, session } = desk;
  const found = useSignal<Comparison>("waiting");
  const compare = (): void => {
    found.value = "waiting";
    session.review.differences().then(
      (differences) => (found.value = differences),
      (error: unknown) => {
        console.warn(error);
        found.value = "failed";
      },
    );
  };
  useEffect(() => {
    if (shown) compare();
  }, [session, shown]);
  if (found.value === "waiting")
    return (
      <p class="panel-note notice-late" role="status">
        {t("workbench.review.comparing")}
      </p>
    );
  if (found.value === "failed") {
    return (
      <p class="panel-note" role="alert">
        {t("workbench.review.failed")}{" "}
        <button class="button small" type="button" onClick={compare}>
          {t("session.again")}
        </button>
      </p>
    );
  }
  if (found.value.length === 0) return <p class="panel-note">{t("workbench.review.same")}</p>;
  return (
    <>
      <p class="panel-note">{t("workbench.review.note")}</p>
      <ul class="review-differences">
        {found.value.map((difference) => (
          <Difference key={refText(difference.ref)} desk={desk} difference={difference} />
        ))}
      </ul>
    </>
  );
}

function Difference({ desk, difference }: { readonly desk: Desk; readonly difference: ObjectDifference }) {
  const { t } = desk;
  const { ref, kind, mine, reference } = difference;
  return (
    <li>
      <details>
        <summary>
          <span class="result-kind">{kind}</span> <strong>{ref.name}</strong>{" "}
          {ref.namespace !== "" && <span class="soft">{ref.namespace}</span>}{" "}
          {mine === "" && <span class="review-verdict">{t("workbench.review.onlyReference")}</span>}
          {reference === "" && <span class="review-verdict">{t("workbench.review.onlyMine")}</span>}
        </summary>
        <p class="soft">{t("workbench.review.legend")}</p>
        <YamlDiff desk={desk} before={reference} after={mine} />
      </details>
    </li>
  );
}
