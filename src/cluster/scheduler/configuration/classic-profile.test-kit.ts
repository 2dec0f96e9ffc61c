// A profile after the early scheduler, for tests.

/**
 * What today's plugins make of the early scheduler: its eight predicates, of which none knew taints, affinity among Pods or spreading; its list
 * of nodes without those that are cordoned; its priorities, of equal weight. Their own names (LeastRequestedPriority and so on) are none that
 * kube-scheduler knows any more. Points of a shape are from 0 to 10, as all scores were.
 */
export const classicProfiles = `profiles:
- schedulerName: default-scheduler
- schedulerName: classic
  plugins:
    multiPoint:
      disabled: [{name: "*"}]
      enabled:
      - {name: PrioritySort}
      - {name: DefaultBinder}
      - {name: NodeUnschedulable}
      - {name: NodePorts}
      - {name: NodeResourcesFit, weight: 1}
      - {name: NodeName}
      - {name: NodeAffinity, weight: 1}
      - {name: VolumeRestrictions}
      - {name: VolumeZone}
      - {name: NodeVolumeLimits}
      - {name: NodeResourcesBalancedAllocation, weight: 1}
      - {name: PodTopologySpread, weight: 1}
      - {name: ImageLocality, weight: 1}
    filter: {disabled: [{name: PodTopologySpread}]}
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: RequestedToCapacityRatio
        requestedToCapacityRatio: {shape: [{utilization: 0, score: 10}, {utilization: 100, score: 0}]}
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway}]
`;
