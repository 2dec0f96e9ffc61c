import { localSubjectAccessReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "./review.ts";

export const localSubjectAccessReviews = defineReview(type);
