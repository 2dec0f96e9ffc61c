import { clusterRoleBindings as type } from "#cluster/api/kinds.ts";
import { defineBinding } from "./subjects.ts";

export const clusterRoleBindings = defineBinding(type);
