import { describe, expect, it } from "vitest";
import type { Locale } from "../../i18n/locales.ts";
import { readLanguageRules } from "./check-language.ts";
import { mdxProse } from "./mdx-prose.ts";
import { inlinePassage } from "./passage.ts";
import { findings } from "./rule.ts";
import { yamlProse } from "./yaml-prose.ts";

const rules = readLanguageRules();

function problems(locale: Locale, text: string, showsCode = true): readonly string[] {
  const passage = inlinePassage(text, 1, showsCode);
  return passage === undefined ? [] : findings(passage, rules[locale]).map(({ message }) => message);
}

describe("prose of a lesson", () => {
  const source = `---
title: Un titre
lab: name
---

Un paragraphe avec \`code !\` et <Term en="node" means="Une machine.">nœud</Term> :

\`\`\`sh run
echo "never prose!"
\`\`\`

- premier
- second

| a | b |
|---|---|

<Quiz>
<Question>Qui ?</Question>
<Answer why="Parce que \`x\` > 1.">Lui</Answer>
</Quiz>
<Figure name="f" labels={{ one: "un mot", two: "deux" }} alt="Un dessin" />
`;

  it("is head, attributes and paragraphs, with their lines", () => {
    const found = mdxProse(source).map((passage) => [passage.lineAt(0), passage.text.replace(/[\uE000-\uE002]/g, "_")]);
    expect(found).toEqual([
      [2, "Un titre"],
      [6, "Une machine."],
      [20, "Parce que _ > 1."],
      [22, "un mot"],
      [22, "deux"],
      [22, "Un dessin"],
      [6, "Un paragraphe avec _ et nœud :"],
      [12, "premier"],
      [13, "second"],
      [15, "_a_b_"],
      [19, "Qui ?_"],
      [20, "Lui_"],
    ]);
  });

  it("is every text of a lab, found in its line when it is folded", () => {
    const [passage] = yamlProse("task: >-\n  Une première ligne\n  et la seconde\n");
    expect(passage?.text).toBe("Une première ligne et la seconde");
    expect(passage?.lineAt(passage.text.indexOf("seconde"))).toBe(3);
  });
});

describe("rules of language", () => {
  const wrong: readonly (readonly [Locale, string, string])[] = [
    ["fr", "Le Pod est prêt: voyez", 'no narrow no-break space before the mark: "t:"'],
    ["fr", "Le Pod est prêt : voyez", 'an ordinary space before the mark: " :"'],
    ["fr", "« Bonjour »", "no narrow no-break space after the mark"],
    ["fr", "l'API", "a typewriter apostrophe"],
    ["fr", "Attendez 30 s", "a unit without its narrow no-break space"],
    ["fr", "une grappe de nœuds", 'a word the course does not use: "grappe"'],
    ["fr", "Il suffit simplement de relire", 'a word the course does not use: "simplement"'],
    ["fr", "The Pod is ready and waits", "English in the text"],
    ["zh", "节点有3个", "no space between Chinese and Latin"],
    ["zh", "运行`kubectl`", "no space between Chinese and Latin"],
    ["zh", "没有,也行", "half-width punctuation in a Chinese sentence"],
    ["zh", "Pod ，节点", "a space beside full-width punctuation"],
    ["zh", "对镜像进行拉取", 'a word the course does not use: "对镜像进行"'],
    ["zh", "一个容器组", 'a word the course does not use: "容器组"'],
    ["zh", "这些 pod 都在", 'a word the course does not use: "pod"'],
    ["ja", "Pod を作成します。", "a space between Japanese and Latin"],
    ["ja", "デフォルト（30秒）です。", "a full-width mark"],
    ["ja", "次を実行します:", "a colon at the end"],
    ["ja", "確認することができます。", 'a word the course does not use: "することができ"'],
    ["ja", "サーバが動きます。", 'a word the course does not use: "サーバ"'],
    ["ja", "制限は16Miです。", 'a word the course does not use: "16Mi"'],
    ["ja", "今は{ready}つです。", 'a word the course does not use: "{…}つ"'],
    ["ja", "ポッドです。", 'a word the course does not use: "ポッド"'],
    ["es", "Qué pasa?", 'a question that is not opened: "Qué pasa?"'],
    ["es", "Espera 30 s", "a unit without its narrow no-break space"],
    ["es", "Vamos a deployar", 'a word the course does not use: "deployar"'],
    ["es", "Un cluster", 'a word the course does not use: "cluster"'],
    ["es", "Si tú puedes", 'a word the course does not use: "tú puedes"'],
    ["zh", "用户通过命令来查看", "a word the course does not use"],
    ["zh", "Pod `web` 的阶段要是 `Running`。", 'a word the course does not use: "要是 `…`"'],
    ["zh", "三个 Pod 都要是新的。", 'a word the course does not use: "都要是"'],
    ["zh", "`web` 要是上一步的那个。", 'a word the course does not use: "要是上一步"'],
    ["zh", "约束要仍是 `DoNotSchedule`。", 'a word the course does not use: "要仍"'],
    ["es", "¡Listo!", "no exclamation marks"],
    ["ja", "`name`, `namespace`の2つ", "a half-width comma between two code spans"],
    ["fr", "le kube-proxy du nœud", 'not in code font: "kube-proxy"'],
    ["ja", "kubeadmで作ったクラスター", 'not in code font: "kubeadm"'],
    ["ja", "podを作ります。", 'a word the course does not use: "pod"'],
  ];
  it.each(wrong)("in %s: %s", (locale, text, message) => {
    expect(problems(locale, text).join("\n")).toContain(message);
  });

  const right: readonly (readonly [Locale, string])[] = [
    ["fr", "Le Pod est prêt\u202f: voyez «\u202fici\u202f», à 14\u202fh\u202f30, soit 25\u202f% de `nginx:1.27`."],
    ["fr", "Aujourd’hui, {wanted} réplicas\u202f; l’ordonnanceur (scheduler) choisit."],
    ["zh", "节点上有 3 个 Pod（`Running`），占 25%，等 30 秒。"],
    ["zh", "要求 {wanted} 个，“{image}”不对。"],
    ["ja", "Podが3つ、`kubectl`コマンドで確認できます(デフォルトは30秒)。"],
    ["ja", "**時刻**: クラスターの時刻は仮想です。"],
    ["es", "¿Qué queda: nada, o tres Pods? Espera 30\u202fs, el 25\u202f%."],
    ["es", "Los espacios de nombres (namespaces) y lo que escribes tú."],
    ["fr", "Le nœud répond 200 s’il a un Pod prêt."],
    ["fr", "La condition region!=north, juste à côté."],
    ["ja", "作為に気づき、変更には簡単に対応します。スコア × 重み"],
    ["zh", "筛选在哪里进行？不能通过 API 删除：会再回来。"],
    ["zh", "要是 `web` 没有标签，就找不到。值主要是 `a`，只要是 3 就行，Pod 要是都在就好。"],
    ["es", "El clúster dice “listo”. Ejecuta `kubectl get pods`."],
    ["fr", "Les kubelets et etcd, CoreDNS et `kube-proxy`, nginx et systemd."],
  ];
  it.each(right)("leave alone, in %s: %s", (locale, text) => {
    expect(problems(locale, text)).toEqual([]);
  });

  it("ask for no code font where none can be shown", () => {
    expect(problems("fr", "Avec metrics-server", false)).toEqual([]);
    expect(problems("fr", "Avec `metrics-server`", false).join()).toContain("backticks would be shown here");
    const shown = mdxProse('---\ntitle: Un titre\n---\n\nMot\n\n<Figure name="f" alt="Dessin" caption="Légende" />\n');
    expect(shown.map(({ text, showsCode }) => [text, showsCode])).toEqual([
      ["Un titre", false],
      ["Dessin", false],
      ["Légende", true],
      ["Mot", true],
    ]);
    const texts = yamlProse("title: a\nsteps:\n  one:\n    title: b\n    task: c\n", {
      showsCode: (path) => !path.endsWith("title"),
    });
    expect(texts.map(({ text, showsCode }) => [text, showsCode])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
    ]);
  });
});
