// What writes OpenAPI documents: only clients' programs ask for them, so it comes with those.

import type * as documents from "#cluster/api/openapi/documents.ts";
import { Late } from "#sim/late.ts";

export type OpenApiWriter = Pick<typeof documents, "documentPaths" | "openApiV2" | "openApiV3" | "openApiV3Index">;

export const lateOpenApi = new Late<OpenApiWriter>("what writes OpenAPI documents");
