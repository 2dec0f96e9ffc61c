// What writes OpenAPI documents may come later than the server that answers with them: only clients' programs ask, and a
// browser loads those while its cluster starts. The code is no part of any world: it is provided once for all of them.

import type * as documents from "#cluster/api/openapi/documents.ts";

export type OpenApiWriter = Pick<typeof documents, "documentPaths" | "openApiV2" | "openApiV3" | "openApiV3Index">;

let provided: OpenApiWriter | undefined;

export function provideOpenApi(writer: OpenApiWriter): void {
  provided = writer;
}

/** To be asked before it was provided is a fault of the host: it throws Error. */
export function openApiWriter(): OpenApiWriter {
  if (provided === undefined) throw new Error("OpenAPI was asked for before what writes it was provided");
  return provided;
}
