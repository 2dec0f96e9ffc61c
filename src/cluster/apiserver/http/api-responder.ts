// Who answers a request, as the API server's handlers see it.

import type { JsonValue } from "#cluster/api/objects.ts";
import type { HttpResponder } from "#sim/http.ts";

/** It may want to hear of the object before that becomes bytes. */
export interface ApiResponder extends HttpResponder {
  answering?(value: JsonValue): void;
}
