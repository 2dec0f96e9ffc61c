// A task of a lab states a goal and is recognised as one: an imperative, or a goal that is marked as such. A sentence that
// states it as a fact ("The ConfigMap is gone.") reads as something already done.

import type { Locale } from "../../i18n/locales.ts";
import { yamlProse } from "./yaml-prose.ts";

interface GoalForm {
  /** What every task holds. */
  readonly needs: RegExp;
  /** How no task speaks. */
  readonly never?: RegExp;
  /** For the message. */
  readonly say: string;
}

/** Imperatives look like the present tense: those that the labs use are named, others are added here. */
const spanishImperatives =
  "Accede|Actualiza|Anota|Aplica|Aplícalo|Arranca|Asigna|Averigua|Añade|Busca|Cambia|Comprueba|Compara|Completa|Confirma|Conserva|Consigue|Corrige|Crea|Cuenta|Da|Deja|Despliega|Detén|Drena|Ejecuta|Elimina|Encuentra|Envía|Escribe|Espera|Guarda|Haz|Intenta|Lee|Muestra|Obtén|Pasa|Pide|Pon|Ponle|Provoca|Quita|Recupera|Repara|Vuelve";

const forms: Readonly<Record<Locale, GoalForm>> = {
  fr: {
    needs: /(?<!\p{L})(?!chez(?!\p{L})|assez(?!\p{L}))\p{L}+ez(?!\p{L})|Faites|Dites|À obtenir/u,
    never: /(?<!\p{L})Vous avez(?!\p{L})/u,
    say: "an imperative (Créez …) or « À obtenir : … »",
  },
  zh: { needs: /要做到：/u, say: "要做到：……" },
  ja: { needs: /ください|完了です/u, say: "〜してください。 or 〜していれば完了です。" },
  es: {
    needs: new RegExp(`(?<!\\p{L})(?:${spanishImperatives})(?!\\p{L})|Objetivo:`, "iu"),
    never: /(?:^|[.] )(?:Has|Ha|Han|Ya no|Existe|Existen)(?!\p{L})/u,
    say: "an imperative (Crea …; a new verb is added to goals.ts) or “Objetivo: …”",
  },
};

/** Tasks of a lab's texts that state no goal, or state it as a fact: `line: message`. */
export function goalProblems(source: string, locale: Locale): readonly { readonly line: number; readonly message: string }[] {
  const { needs, never, say } = forms[locale];
  return yamlProse(source, { wanted: (path) => /^steps\..*\.task$/.test(path) }).flatMap(({ text, lineAt }) => {
    const isGoal = needs.test(text) && never?.test(text) !== true;
    return isGoal ? [] : [{ line: lineAt(0), message: `a task that is no goal: "${text.slice(0, 60)}…"; better: ${say}` }];
  });
}
