// Which objects a command is about, as its flags say.

export interface SelectionOptions {
  readonly args: readonly string[];
  readonly files?: readonly string[];
  readonly kustomize?: string;
  readonly recursive?: boolean;
  readonly namespace: string;
  /** The namespace was given by flag: files that name another are refused. */
  readonly enforceNamespace?: boolean;
  readonly allNamespaces?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** `--all` */
  readonly all?: boolean;
  /** A type alone means all its objects. */
  readonly typeAloneSelectsAll?: boolean;
  readonly subresource?: string;
  readonly chunkSize?: number;
  readonly continueOnError?: boolean;
  readonly singleType?: boolean;
  /** Objects from files are read from the server again. */
  readonly latest?: boolean;
  /** False: objects named on the command line are not fetched (`object` is undefined). */
  readonly fetch?: boolean;
  /** Nothing may be asked of the server. */
  readonly local?: boolean;
  /** Lists stay whole, as they came. */
  readonly keepLists?: boolean;
  /** Asks for tables; `withObjects` asks for whole objects in their rows. */
  readonly accept?: string;
  readonly withObjects?: boolean;
  readonly ignoreNotFound?: boolean;
  /** The default type for words without a type (`pod`). */
  readonly defaultType?: string;
}
