import { selfSubjectRulesReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "./review.ts";

export const selfSubjectRulesReviews = defineReview(type);
