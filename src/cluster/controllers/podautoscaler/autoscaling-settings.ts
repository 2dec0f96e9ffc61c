// What flags of kube-controller-manager say of autoscaling (pkg/controller/podautoscaler/config).

export interface AutoscalingSettings {
  /** `--horizontal-pod-autoscaler-sync-period` */
  readonly syncMs: number;
  /** `--horizontal-pod-autoscaler-downscale-stabilization` */
  readonly downscaleStabilizationMs: number;
  /** `--horizontal-pod-autoscaler-tolerance` */
  readonly tolerance: number;
  /** `--horizontal-pod-autoscaler-cpu-initialization-period` */
  readonly cpuInitializationMs: number;
  /** `--horizontal-pod-autoscaler-initial-readiness-delay` */
  readonly readinessDelayMs: number;
}

export const usualAutoscaling: AutoscalingSettings = {
  syncMs: 15_000,
  downscaleStabilizationMs: 300_000,
  tolerance: 0.1,
  cpuInitializationMs: 300_000,
  readinessDelayMs: 30_000,
};
