import { roleBindings as type } from "#cluster/api/kinds.ts";
import { defineBinding } from "./subjects.ts";

export const roleBindings = defineBinding(type);
