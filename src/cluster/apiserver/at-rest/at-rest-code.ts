// All that `late-at-rest.ts` stands for.

export { StoredKeys } from "./stored-keys.ts";
export { useEncryption } from "./use-encryption.ts";
