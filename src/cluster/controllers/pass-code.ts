// All that `late-passes.ts` stands for.

export { CronJobPass } from "./cronjob/cronjob-pass.ts";
export { JobPass } from "./job/job-pass.ts";
export { AutoscalerPass } from "./podautoscaler/autoscaler-pass.ts";
export { findOut } from "./podautoscaler/questions.ts";
export { ScalingHistory } from "./podautoscaler/scaling-limits.ts";
export { SetPass } from "./statefulset/set-pass.ts";
