// How openssl's commands end early: lines for standard error, and a status.

export class OpensslFailure extends Error {
  readonly status: number;

  constructor(text: string, status = 1) {
    super(text);
    this.status = status;
  }
}

/** A line of OpenSSL's error queue; the first field is the thread's. */
export function queued(text: string): string {
  return `80DBA5F7FF7E0000:error:${text}`;
}

/** What loading a key or certificate from a missing file says. */
export function cannotOpen(what: string, path: string): string {
  return [
    `Could not open file or uri for loading ${what} from ${path}`,
    queued(
      "16000069:STORE routines:ossl_store_get0_loader_int:unregistered scheme:../crypto/store/store_register.c:237:scheme=file",
    ),
    queued(
      `80000002:system library:file_open:No such file or directory:../providers/implementations/storemgmt/file_store.c:266:calling stat(${path})`,
    ),
  ].join("\n");
}

/** What loading from a file of another kind says. */
export function cannotRead(what: string, path: string): string {
  return `Could not read ${what} from ${path}`;
}
