import { subjectAccessReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "./review.ts";

export const subjectAccessReviews = defineReview(type);
