// The typist with the words of kubectl's help at hand, as in a browser's worker.

import { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";
import { helpTexts } from "#kubectl/help/generated/texts.ts";

provideHelpTexts(helpTexts);

export { splitCommands, type TypedResult, Typist } from "#lab/typist.ts";
