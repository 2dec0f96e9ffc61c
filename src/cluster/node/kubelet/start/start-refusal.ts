// Why a kubelet ends as soon as it is started.

export class StartRefusal extends Error {
  /** `plugins`: what registers credential providers has failed, and says so itself. */
  readonly stage: "command" | "plugins";

  constructor(message: string, stage: "command" | "plugins" = "command") {
    super(message);
    this.stage = stage;
  }
}
