import { selfSubjectAccessReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "./review.ts";

export const selfSubjectAccessReviews = defineReview(type);
