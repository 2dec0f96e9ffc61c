// Distinguished names: who a certificate is about, and who signed it.

import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import {
  children,
  type DerValue,
  encode,
  objectIdentifier,
  readObjectIdentifier,
  readText,
  sequence,
  sequenceOf,
  set,
  tags,
  utf8String,
} from "./der.ts";

/** One attribute, as `CN` and `jane`; an attribute without a short name is written by its dotted identifier. */
export interface NameAttribute {
  readonly type: string;
  readonly value: string;
}

/** In the order in which it is encoded. */
export type DistinguishedName = readonly NameAttribute[];

const identifiers: { readonly [shortName: string]: string } = {
  CN: "2.5.4.3",
  SN: "2.5.4.4",
  serialNumber: "2.5.4.5",
  C: "2.5.4.6",
  L: "2.5.4.7",
  ST: "2.5.4.8",
  street: "2.5.4.9",
  O: "2.5.4.10",
  OU: "2.5.4.11",
  emailAddress: "1.2.840.113549.1.9.1",
  DC: "0.9.2342.19200300.100.1.25",
};
const shortNames = new Map(Object.entries(identifiers).map(([name, identifier]) => [identifier, name]));
/** What the standard restricts to other types than UTF8String. */
const stringTags: { readonly [shortName: string]: number } = {
  C: tags.printableString,
  serialNumber: tags.printableString,
  emailAddress: tags.ia5String,
  DC: tags.ia5String,
};

/** Whether an attribute of this short name can be written. */
export function isAttributeName(shortName: string): boolean {
  return shortName in identifiers;
}

export function encodeName(name: DistinguishedName): Bytes {
  return sequence(
    ...name.map(({ type, value }) => {
      const tag = stringTags[type];
      const text = tag === undefined ? utf8String(value) : encode(tag, encodeUtf8(value));
      return set(sequence(objectIdentifier(identifiers[type] ?? type), text));
    }),
  );
}

export function readName(value: DerValue | undefined): DistinguishedName {
  return sequenceOf(value).flatMap((part) =>
    children(part).map((attribute) => {
      const [type, text] = sequenceOf(attribute);
      const identifier = readObjectIdentifier(type);
      return { type: shortNames.get(identifier) ?? identifier, value: readText(text) };
    }),
  );
}

/** The last value of an attribute, "" without. */
export function attributeOf(name: DistinguishedName, type: string): string {
  return name.findLast((attribute) => attribute.type === type)?.value ?? "";
}

export function attributesOf(name: DistinguishedName, type: string): readonly string[] {
  return name.filter((attribute) => attribute.type === type).map(({ value }) => value);
}

/** A name made of organizations and a common name, in the order in which Go writes them. */
export function subjectName(commonName: string, organizations: readonly string[] = []): DistinguishedName {
  return [...organizations.map((value) => ({ type: "O", value })), { type: "CN", value: commonName }];
}

export function isSameName(a: DistinguishedName, b: DistinguishedName): boolean {
  return a.length === b.length && a.every(({ type, value }, index) => b[index]?.type === type && b[index]?.value === value);
}
