// All that `late-journal-words.ts` stands for.

export { kubeletForms } from "../kubelet/kubelet-journal-words.ts";
export { runtimeForms } from "../runtime/runtime-journal-words.ts";
