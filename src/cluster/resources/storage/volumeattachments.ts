import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { VolumeAttachment, VolumeError } from "#cluster/api/generated/types.ts";
import { volumeAttachments as type } from "#cluster/api/kinds.ts";
import { rangeReason } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { validateDriverName } from "../core/volumes/persistentvolume-sources.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue, type Path } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";

const maxErrorMessage = 1024;
const maxMetadataBytes = 262_144;
const sourcePath = field("spec", "source");

export const volumeAttachments = defineResource(type, {
  returnsDeleted: true,
  updateNeedsResourceVersion: true,
  ...specAndStatus,
  prepareForCreate: (attachment) => ({ ...attachment, status: { attached: false } }),
  subresources: [{ name: "status", kind: "VolumeAttachment", verbs: ["get", "patch", "update"] }],
  validate,
  validateUpdate: (attachment, old, errors) => {
    validate(attachment, errors);
    if (!semanticDeepEqual(attachment.spec, old.spec)) {
      errors.invalid(field("spec"), goValue(attachment.spec), "field is immutable");
    }
  },
  validateStatusUpdate: (attachment, _old, errors) => validateStatus(attachment, errors),
  columns: [
    nameColumn,
    { ...column("Attacher", ""), format: "name" },
    column("PV", ""),
    column("Node", ""),
    { ...column("Attached", ""), type: "boolean" },
    ageColumn,
  ],
  row: (attachment, context) => [
    nameCell(attachment),
    attachment.spec?.attacher ?? "",
    attachment.spec?.source?.persistentVolumeName ?? "",
    attachment.spec?.nodeName ?? "",
    attachment.status?.attached ?? false,
    ageCell(attachment, context),
  ],
});

function validate(attachment: Typed<VolumeAttachment>, errors: FieldErrors): void {
  const { attacher = "", source, nodeName = "" } = attachment.spec ?? {};
  validateDriverName(attacher, field("spec.attacher"), errors);
  const volume = source?.persistentVolumeName;
  const onlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (volume === undefined && source?.inlineVolumeSpec === undefined) errors.required(sourcePath, onlyOne);
  else if (volume !== undefined && source?.inlineVolumeSpec !== undefined) errors.forbidden(sourcePath, onlyOne);
  else if (volume === "") errors.required(sourcePath.child("persistentVolumeName"), "must specify non empty persistentVolumeName");
  for (const reason of subdomainName(nodeName, false)) errors.invalid(field("spec", "nodeName"), nodeName, reason);
  validateStatus(attachment, errors);
  if (volume === undefined) return;
  for (const reason of subdomainName(volume, false)) errors.invalid(field("spec.source.persistentVolumeName"), volume, reason);
}

function validateStatus({ status }: Typed<VolumeAttachment>, errors: FieldErrors): void {
  const { attachmentMetadata = {}, attachError, detachError } = status ?? {};
  const size = Object.entries(attachmentMetadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > maxMetadataBytes) errors.tooLong(field("status", "attachmentMetadata"), maxMetadataBytes);
  validateVolumeError(attachError, field("status", "attachError"), errors);
  validateVolumeError(detachError, field("status", "detachError"), errors);
}

function validateVolumeError(error: VolumeError | undefined, path: Path, errors: FieldErrors): void {
  // Upstream names the limit of the metadata here.
  if ((error?.message?.length ?? 0) > maxErrorMessage) errors.tooLong(path.child("message"), maxMetadataBytes);
  const code = error?.errorCode;
  if (code !== undefined && code < 0) errors.invalid(path.child("errorCode"), code, rangeReason(0, 2_147_483_647));
}
