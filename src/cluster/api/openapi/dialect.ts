// The two versions of OpenAPI that are served, and the words in them.

/** Documentation by type and field; the entry "" is the type's own. A lazily loaded module: `generated/docs.ts`. */
export type Docs = { readonly [typeName: string]: { readonly [field: string]: string } };

/** The two versions differ in where references lead and in what may stand beside them. */
export type Dialect = "v2" | "v3";
