// Everything that reaches the world from outside. Inputs with their virtual times are all it takes to rebuild a world.

export type WorldInput =
  | { readonly kind: "terminal-open"; readonly terminal: string; readonly columns: number; readonly rows: number }
  | { readonly kind: "terminal-input"; readonly terminal: string; readonly text: string }
  | { readonly kind: "terminal-resize"; readonly terminal: string; readonly columns: number; readonly rows: number }
  | { readonly kind: "terminal-close"; readonly terminal: string }
  /** A file saved in the editor, as the learner; relative paths begin at the home directory. */
  | { readonly kind: "file-write"; readonly path: string; readonly text: string }
  /** An address entered in the browser; `page` names the answer. */
  | { readonly kind: "page-open"; readonly page: string; readonly url: string };

const fieldsOfInputs: { readonly [kind in WorldInput["kind"]]: { readonly [field: string]: "string" | "number" } } = {
  "terminal-open": { terminal: "string", columns: "number", rows: "number" },
  "terminal-input": { terminal: "string", text: "string" },
  "terminal-resize": { terminal: "string", columns: "number", rows: "number" },
  "terminal-close": { terminal: "string" },
  "file-write": { path: "string", text: "string" },
  "page-open": { page: "string", url: "string" },
};

/** Whether something read from outside has the shape of an input. */
export function isWorldInput(value: unknown): value is WorldInput {
  if (typeof value !== "object" || value === null) return false;
  const given = value as { readonly [field: string]: unknown };
  const { kind } = given;
  if (typeof kind !== "string" || !Object.hasOwn(fieldsOfInputs, kind)) return false;
  return Object.entries(fieldsOfInputs[kind as WorldInput["kind"]]).every(([field, type]) => typeof given[field] === type);
}
