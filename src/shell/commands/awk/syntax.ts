// The syntax tree of awk programs.

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "regex"; readonly source: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "field"; readonly index: Expression }
  | { readonly kind: "element"; readonly name: string; readonly index: readonly Expression[] }
  | { readonly kind: "in"; readonly index: readonly Expression[]; readonly name: string }
  | { readonly kind: "assign"; readonly operator: string; readonly target: Expression; readonly value: Expression }
  | { readonly kind: "step"; readonly operator: "++" | "--"; readonly prefix: boolean; readonly target: Expression }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "match"; readonly negated: boolean; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "ternary"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "group"; readonly list: readonly Expression[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] };

export type Statement =
  | { readonly kind: "expression"; readonly expression: Expression }
  | {
      readonly kind: "print";
      readonly format: boolean;
      readonly args: readonly Expression[];
      readonly redirect: { readonly operator: string; readonly target: Expression } | undefined;
    }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | { readonly kind: "if"; readonly test: Expression; readonly yes: Statement; readonly no: Statement | undefined }
  | { readonly kind: "while"; readonly test: Expression; readonly body: Statement; readonly afterBody: boolean }
  | {
      readonly kind: "for";
      readonly start: Statement | undefined;
      readonly test: Expression | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "forIn"; readonly variable: string; readonly array: string; readonly body: Statement }
  | { readonly kind: "jump"; readonly name: "break" | "continue" | "next" | "nextfile" }
  | { readonly kind: "exit" | "return"; readonly value: Expression | undefined }
  | { readonly kind: "delete"; readonly name: string; readonly index: readonly Expression[] | undefined };

export interface Rule {
  readonly pattern: Expression | "BEGIN" | "END" | undefined;
  readonly until: Expression | undefined;
  readonly body: Statement | undefined;
}

export interface AwkFunction {
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface AwkProgram {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
