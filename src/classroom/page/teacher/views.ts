// The views of the teacher's page, as they stand in its address: `#classes`, `#account`, `#team`, `#class/ID`,
// `#class/ID/learner/ID`, `#class/ID/exam/ID`; an invitation's token stands alone.

export const classTabs = ["board", "plan", "exams", "figures", "settings"] as const;
export type ClassTab = (typeof classTabs)[number];

export type View =
  | { readonly kind: "classes" | "account" | "team" }
  | { readonly kind: "invited"; readonly token: string }
  | { readonly kind: "class"; readonly id: string; readonly tab: ClassTab }
  | { readonly kind: "learner"; readonly id: string; readonly learner: string }
  | { readonly kind: "exam"; readonly id: string; readonly exam: string };

const id = /^[A-Za-z0-9_-]{1,40}$/;
/** 32 bytes in base64url. */
const token = /^[A-Za-z0-9_-]{43}$/;

/** What a fragment says, with its `#`; what says nothing leads to the classes. */
export function viewOf(fragment: string): View {
  const [first = "", second = "", third = "board", fourth = "", ...more] = fragment.replace(/^#/, "").split("/");
  if (token.test(first) && second === "") return { kind: "invited", token: first };
  if ((first === "account" || first === "team") && second === "") return { kind: first };
  if (first !== "class" || !id.test(second) || more.length > 0) return { kind: "classes" };
  if (third === "learner" && id.test(fourth)) return { kind: "learner", id: second, learner: fourth };
  if (third === "exam" && id.test(fourth)) return { kind: "exam", id: second, exam: fourth };
  const tab = classTabs.find((one) => one === third);
  return tab === undefined || fourth !== "" ? { kind: "classes" } : { kind: "class", id: second, tab };
}

export function fragmentOf(view: View): string {
  switch (view.kind) {
    case "classes":
    case "account":
    case "team":
      return `#${view.kind}`;
    case "invited":
      return `#${view.token}`;
    case "class":
      return `#class/${view.id}${view.tab === "board" ? "" : `/${view.tab}`}`;
    case "learner":
      return `#class/${view.id}/learner/${view.learner}`;
    case "exam":
      return `#class/${view.id}/exam/${view.exam}`;
  }
}
