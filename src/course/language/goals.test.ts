import { describe, expect, it } from "vitest";
import type { Locale } from "../../i18n/locales.ts";
import { goalProblems } from "./goals.ts";

const problems = (locale: Locale, task: string) =>
  goalProblems(`steps:\n  one:\n    title: t\n    task: >-\n      ${task}\n`, locale);

describe("tasks as goals", () => {
  const goals: readonly (readonly [Locale, string])[] = [
    ["fr", "Créez la ConfigMap `shop`."],
    ["fr", "À obtenir : deux Pods prêts chez `web`."],
    ["zh", "停掉调度器。要做到：`late` 没有节点。"],
    ["ja", "`web`を作ってください。"],
    ["ja", "Podが2つReadyになっていれば完了です。"],
    ["es", "Después, crea el Pod `late`."],
    ["es", "Objetivo: dos Pods listos."],
  ];
  it.each(goals)("stand in %s: %s", (locale, task) => {
    expect(problems(locale, task)).toEqual([]);
  });

  const facts: readonly (readonly [Locale, string])[] = [
    ["fr", "La ConfigMap a disparu, il y en a assez."],
    ["fr", "Vous avez supprimé le Pod. Notez son nom."],
    ["zh", "调度器已经停下，`late` 没有节点。"],
    ["ja", "Serviceの`web`が、4つのPodに共通のアドレスを与えています。"],
    ["es", "La ConfigMap ya no está."],
    ["es", "Has eliminado el Pod. Anota su nombre."],
  ];
  it.each(facts)("are asked for in %s: %s", (locale, task) => {
    expect(problems(locale, task)).toMatchObject([{ line: 5 }]);
  });
});
