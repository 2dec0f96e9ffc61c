// Go's own form of what pods are made of: the fields of upstream's internal types in their order, absent ones as their zero
// values. Some messages show it: a forbidden change's difference, a value that is invalid as a whole
// (pkg/apis/core/types.go, which has no names for JSON and so is written with Go's).

import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { asciiLowerCase } from "#sim/ascii.ts";

/**
 * Fields as `Name` or `Name:kind`. Kinds: none is null when absent; `s` "", `i` 0, `b` false; a type's name in `()` is a
 * struct, `?T` a pointer to one, `T[]` a list; `*` a struct whose fields stand in this one; `@` metadata, whose fields stand in this one
 * with their names in JSON. `Name=wire` gives a name that
 * is not made by the rule of `wireName`.
 */
const types: { readonly [type: string]: string } = {
  PodSpec:
    "Volumes:Volume[] InitContainers:Container[] Containers:Container[] EphemeralContainers:EphemeralContainer[] RestartPolicy:s TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy:s NodeSelector ServiceAccountName:s AutomountServiceAccountToken NodeName:s SecurityContext:?PodSecurityContext ImagePullSecrets:Name[] Hostname:s Subdomain:s SetHostnameAsFQDN Affinity:?Affinity SchedulerName:s Tolerations:Toleration[] HostAliases:HostAlias[] PriorityClassName:s Priority PreemptionPolicy DNSConfig:?PodDNSConfig ReadinessGates:ReadinessGate[] RuntimeClassName Overhead EnableServiceLinks TopologySpreadConstraints:TopologySpreadConstraint[] OS:?Name SchedulingGates:Name[] ResourceClaims:PodResourceClaim[] Resources:?Resources HostnameOverride SchedulingGroup",
  PodSecurityContext:
    "HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace HostUsers SELinuxOptions:?SELinuxOptions WindowsOptions:?WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup FSGroupChangePolicy Sysctls:NameValue[] SeccompProfile:?SeccompProfile AppArmorProfile:?SeccompProfile SELinuxChangePolicy",
  Container:
    "Name:s Image:s Command Args WorkingDir:s Ports:ContainerPort[] EnvFrom:EnvFrom[] Env:EnvVar[] Resources:(Resources) ResizePolicy:ResizePolicy[] RestartPolicy RestartPolicyRules:RestartRule[] VolumeMounts:VolumeMount[] VolumeDevices:VolumeDevice[] LivenessProbe:?Probe ReadinessProbe:?Probe StartupProbe:?Probe Lifecycle:?Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:?SecurityContext Stdin:b StdinOnce:b TTY:b",
  EphemeralContainer: "Common:*Container TargetContainerName:s",
  Name: "Name:s",
  NameValue: "Name:s Value:s",
  ContainerPort: "Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s",
  EnvFrom: "Prefix:s ConfigMapRef:?OptionalName SecretRef:?OptionalName",
  OptionalName: "Name:s Optional",
  EnvVar: "Name:s Value:s ValueFrom:?EnvVarSource",
  EnvVarSource:
    "FieldRef:?FieldSelector ResourceFieldRef:?ResourceSelector ConfigMapKeyRef:?KeySelector SecretKeyRef:?KeySelector FileKeyRef:?FileKeySelector",
  FieldSelector: "APIVersion:s FieldPath:s",
  ResourceSelector: "ContainerName:s Resource:s Divisor:0",
  KeySelector: "Name:s Key:s Optional",
  FileKeySelector: "VolumeName:s Path:s Key:s Optional",
  Resources: "Limits Requests Claims:ClaimReference[]",
  ClaimReference: "Name:s Request:s",
  ResizePolicy: "ResourceName:s RestartPolicy:s",
  RestartRule: "Action:s ExitCodes:?ExitCodes",
  ExitCodes: "Operator:s Values",
  VolumeMount: "Name:s ReadOnly:b RecursiveReadOnly MountPath:s SubPath:s MountPropagation SubPathExpr:s",
  VolumeDevice: "Name:s DevicePath:s",
  Probe:
    "Exec:?Exec HTTPGet:?HTTPGet TCPSocket:?TCPSocket GRPC:?GRPC InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds",
  Exec: "Command",
  HTTPGet: "Path:s Port Host:s Scheme:s HTTPHeaders:NameValue[]",
  TCPSocket: "Port Host:s",
  GRPC: "Port:i Service",
  Lifecycle: "PostStart:?Handler PreStop:?Handler StopSignal",
  Handler: "Exec:?Exec HTTPGet:?HTTPGet TCPSocket:?TCPSocket Sleep:?Sleep",
  Sleep: "Seconds:i",
  SecurityContext:
    "Capabilities:?Capabilities Privileged SELinuxOptions:?SELinuxOptions WindowsOptions:?WindowsOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile:?SeccompProfile AppArmorProfile:?SeccompProfile",
  Capabilities: "Add Drop",
  SELinuxOptions: "User:s Role:s Type:s Level:s",
  WindowsOptions: "GMSACredentialSpecName GMSACredentialSpec RunAsUserName HostProcess",
  SeccompProfile: "Type:s LocalhostProfile",
  Affinity: "NodeAffinity:?NodeAffinity PodAffinity:?PodAffinity PodAntiAffinity:?PodAffinity",
  NodeAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:?NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:PreferredTerm[]",
  NodeSelector: "NodeSelectorTerms:NodeSelectorTerm[]",
  NodeSelectorTerm: "MatchExpressions:NodeRequirement[] MatchFields:NodeRequirement[]",
  NodeRequirement: "Key:s Operator:s Values",
  PreferredTerm: "Weight:i Preference:(NodeSelectorTerm)",
  PodAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[] PreferredDuringSchedulingIgnoredDuringExecution:WeightedTerm[]",
  WeightedTerm: "Weight:i PodAffinityTerm:(PodAffinityTerm)",
  PodAffinityTerm: "LabelSelector Namespaces TopologyKey:s NamespaceSelector MatchLabelKeys MismatchLabelKeys",
  Toleration: "Key:s Operator:s Value:s Effect:s TolerationSeconds",
  HostAlias: "IP:s Hostnames",
  PodDNSConfig: "Nameservers Searches Options:DNSOption[]",
  DNSOption: "Name:s Value",
  ReadinessGate: "ConditionType:s",
  TopologySpreadConstraint:
    "MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector MinDomains NodeAffinityPolicy NodeTaintsPolicy MatchLabelKeys",
  PodResourceClaim: "Name:s ResourceClaimName ResourceClaimTemplateName",
  Volume:
    "Name:s HostPath:?HostPath EmptyDir:?EmptyDir GCEPersistentDisk AWSElasticBlockStore GitRepo Secret:?SecretVolume NFS:?NFS ISCSI Glusterfs PersistentVolumeClaim:?ClaimVolume RBD Quobyte FlexVolume Cinder CephFS=cephfs Flocker DownwardAPI:?DownwardVolume FC AzureFile ConfigMap:?ConfigMapVolume VsphereVolume AzureDisk PhotonPersistentDisk Projected:?Projected PortworxVolume ScaleIO StorageOS=storageos CSI:?CSIVolume Ephemeral:?Ephemeral Image:?ImageVolume",
  HostPath: "Path:s Type",
  EmptyDir: "Medium:s SizeLimit",
  SecretVolume: "SecretName:s Items:KeyToPath[] DefaultMode Optional",
  ConfigMapVolume: "Name:s Items:KeyToPath[] DefaultMode Optional",
  KeyToPath: "Key:s Path:s Mode",
  NFS: "Server:s Path:s ReadOnly:b",
  ClaimVolume: "ClaimName:s ReadOnly:b",
  DownwardVolume: "Items:DownwardFile[] DefaultMode",
  DownwardFile: "Path:s FieldRef:?FieldSelector ResourceFieldRef:?ResourceSelector Mode",
  Projected: "Sources:Projection[] DefaultMode",
  Projection:
    "Secret:?KeyProjection DownwardAPI:?DownwardProjection ConfigMap:?KeyProjection ServiceAccountToken:?TokenProjection ClusterTrustBundle PodCertificate",
  KeyProjection: "Name:s Items:KeyToPath[] Optional",
  DownwardProjection: "Items:DownwardFile[]",
  TokenProjection: "Audience:s ExpirationSeconds Path:s",
  CSIVolume: "Driver:s ReadOnly FSType VolumeAttributes NodePublishSecretRef:?Name",
  Ephemeral: "VolumeClaimTemplate:?ClaimTemplate",
  ClaimTemplate: "metadata:@ Spec:(ClaimSpec)",
  ClaimSpec:
    "AccessModes Selector Resources:(ClaimResources) VolumeName:s StorageClassName VolumeMode DataSource:?LocalReference DataSourceRef:?AnyReference VolumeAttributesClassName",
  ClaimResources: "Limits Requests",
  LocalReference: "APIGroup Kind:s Name:s",
  AnyReference: "APIGroup Kind:s Name:s Namespace",
  ImageVolume: "Reference:s PullPolicy:s",
};

type Fields = { readonly [name: string]: unknown };

/** `httpGet` of `HTTPGet`, `seLinuxOptions` of `SELinuxOptions`: capitals at the start up to the last before a small letter. */
function wireName(name: string): string {
  const capitals = /^[A-Z]+/.exec(name)?.[0].length ?? 0;
  const lowered = capitals === name.length || capitals === 1 ? capitals : capitals - 1;
  return asciiLowerCase(name.slice(0, lowered)) + name.slice(lowered);
}

interface FieldForm {
  readonly name: string;
  readonly wire: string;
  readonly kind: string;
}

const forms = new Map<string, readonly FieldForm[]>();

function formOf(type: string): readonly FieldForm[] {
  let form = forms.get(type);
  if (form === undefined) {
    form = (types[type] as string).split(" ").map((text) => {
      const [label = "", kind = ""] = text.split(":");
      const [name = "", wire = wireName(name)] = label.split("=");
      return { name, wire, kind };
    });
    forms.set(type, form);
  }
  return form;
}

/** A value of one of the types above as Go would write it as JSON. */
export function internalForm(type: string, value: object): JsonValue {
  const result: { [name: string]: JsonValue } = {};
  for (const { name, wire, kind } of formOf(type)) {
    if (kind === "@") Object.assign(result, embeddedMetadata((value as Fields)[wire] as Fields | undefined));
    else if (kind.startsWith("*")) Object.assign(result, internalForm(kind.slice(1), value));
    else result[name] = internalValue(kind, (value as Fields)[wire]);
  }
  return result;
}

/** What is allowed of it in a template, in the order of ObjectMeta; absent fields stay so. */
function embeddedMetadata({ labels, annotations }: Fields = {}): { readonly [name: string]: JsonValue } {
  return {
    ...(labels === undefined ? {} : { labels: sorted(labels) }),
    ...(annotations === undefined ? {} : { annotations: sorted(annotations) }),
  };
}

function internalValue(kind: string, value: unknown): JsonValue {
  if (kind.endsWith("[]")) {
    const type = kind.slice(0, -2);
    return value === undefined ? null : (value as readonly object[]).map((item) => internalForm(type, item));
  }
  if (kind.startsWith("(")) return internalForm(kind.slice(1, -1), (value as object | undefined) ?? {});
  if (kind.startsWith("?")) return value === undefined ? null : internalForm(kind.slice(1), value as object);
  switch (kind) {
    case "s":
      return (value as string | undefined) ?? "";
    case "i":
      return (value as number | undefined) ?? 0;
    case "b":
      return (value as boolean | undefined) ?? false;
    case "0":
      return (value as string | undefined) ?? "0";
    default:
      return sorted(value);
  }
}

/** Maps are written by key. */
function sorted(value: unknown): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return value as JsonValue;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => compareBytes(a, b)),
  ) as JsonValue;
}

/** A pod's spec: what shares the host's namespaces stands in the security context there. */
export function internalPodSpec(spec: object): JsonValue {
  const fields = spec as Fields;
  const shared = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];
  const context: { [name: string]: unknown } = { ...(fields["securityContext"] as object | undefined) };
  for (const name of shared) if (fields[name] !== undefined) context[name] = fields[name];
  return internalForm("PodSpec", { ...spec, securityContext: context });
}
