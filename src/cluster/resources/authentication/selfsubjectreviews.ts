import { selfSubjectReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "../authorization/review.ts";

export const selfSubjectReviews = defineReview(type);
