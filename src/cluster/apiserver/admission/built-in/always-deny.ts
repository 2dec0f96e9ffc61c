// AlwaysDeny: nothing is written (plugin/pkg/admission/deny); its counterpart AlwaysAdmit has no opinion at all.

import { type AdmissionPlugin, notAdmitted } from "../chain.ts";

export const alwaysAdmit: AdmissionPlugin = { name: "AlwaysAdmit", operations: [] };

export const alwaysDeny: AdmissionPlugin = {
  name: "AlwaysDeny",
  operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
  mutate(attributes) {
    throw notAdmitted(attributes, "admission control is denying all modifications");
  },
};
