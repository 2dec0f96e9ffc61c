import { tokenReviews as type } from "#cluster/api/kinds.ts";
import { defineReview } from "../authorization/review.ts";

export const tokenReviews = defineReview(type);
