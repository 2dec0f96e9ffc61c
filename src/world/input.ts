// Everything that reaches the world from outside. Inputs with their virtual times are all it takes to rebuild a world.

export type WorldInput =
  | { readonly kind: "terminal-open"; readonly terminal: string; readonly columns: number; readonly rows: number }
  | { readonly kind: "terminal-input"; readonly terminal: string; readonly text: string }
  | { readonly kind: "terminal-resize"; readonly terminal: string; readonly columns: number; readonly rows: number }
  | { readonly kind: "terminal-close"; readonly terminal: string };
