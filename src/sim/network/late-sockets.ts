// What is asked only by programs that show a namespace's sockets.

import { Late } from "../late.ts";
import type * as code from "./sockets.ts";

export const lateSockets = new Late<typeof code>("sockets");
