// In the browser of a member of a class: sends what is done, shows what the class has for its members. And the way in.

import { beMember } from "../../classroom/page/learner/member.ts";
import { find } from "./dom.ts";
import { openWorkbench, workbenchChanged } from "./open-workbench.ts";

if (find("[data-join-page]", HTMLElement)) void import("../../classroom/page/learner/join.ts").then(({ letJoin }) => letJoin());
void beMember({
  session: () => openWorkbench()?.session,
  onSession: (act) => document.addEventListener(workbenchChanged, act),
});
