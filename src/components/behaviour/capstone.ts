// What a capstone's page does beyond the frame: the lab beside the text, and where the reader was last.

import { rememberLast } from "../../course/progress.ts";
import { find } from "./dom.ts";
import "./lab-panel.ts";

rememberLast(find("[data-lesson-page]", HTMLElement)?.dataset["place"] ?? "");
