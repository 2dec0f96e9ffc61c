// What a refused system call throws into the program that made it.

/** The errno names that the kernel uses, with the texts that the C library prints for them. */
export const errnoText = {
  E2BIG: "Argument list too long",
  EACCES: "Permission denied",
  EADDRINUSE: "Address already in use",
  EADDRNOTAVAIL: "Cannot assign requested address",
  EAGAIN: "Resource temporarily unavailable",
  EBADF: "Bad file descriptor",
  EBUSY: "Device or resource busy",
  ECHILD: "No child processes",
  ECONNREFUSED: "Connection refused",
  ECONNRESET: "Connection reset by peer",
  EDESTADDRREQ: "Destination address required",
  EEXIST: "File exists",
  EHOSTUNREACH: "No route to host",
  EINTR: "Interrupted system call",
  EINVAL: "Invalid argument",
  EIO: "Input/output error",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  EMSGSIZE: "Message too long",
  ENAMETOOLONG: "File name too long",
  ENETUNREACH: "Network is unreachable",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOMEM: "Cannot allocate memory",
  ENOSPC: "No space left on device",
  ENOTCONN: "Transport endpoint is not connected",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
  ENOTSOCK: "Socket operation on non-socket",
  ENOTTY: "Inappropriate ioctl for device",
  EOVERFLOW: "Value too large for defined data type",
  ENXIO: "No such device or address",
  EPERM: "Operation not permitted",
  EPIPE: "Broken pipe",
  EROFS: "Read-only file system",
  ESRCH: "No such process",
  ETIMEDOUT: "Connection timed out",
  ETXTBSY: "Text file busy",
  EXDEV: "Invalid cross-device link",
} as const;

export type Errno = keyof typeof errnoText;

export class SysError extends Error {
  readonly code: Errno;

  constructor(code: Errno) {
    super(errnoText[code]);
    this.code = code;
  }
}

const engineErrors: readonly unknown[] = [SyntaxError, TypeError, RangeError, ReferenceError, URIError, EvalError];
/** Firefox's own for a stack that is too small; what browsers throw for functions that are no part of the language, such as atob. */
const hostErrors: readonly string[] = ["InternalError", "InvalidCharacterError"];

/**
 * Whether the engine threw it and not we: a text that it could not read, a stack that was too small, a mistake of ours. Errors of ours
 * that are RangeErrors and the like count as mistakes, too.
 */
export function isEngineError(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return engineErrors.includes(thrown.constructor) || hostErrors.includes(thrown.name);
}

/** Whether its message is in our words: the world may show it, and it is the same in every engine. */
export function isOwnError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && !isEngineError(thrown);
}

/** What a learner may read of anything thrown: each engine has words of its own, so its errors are told in ours. */
export function wordsOf(thrown: unknown): string {
  if (isEngineError(thrown)) return "internal error of the simulator";
  return isOwnError(thrown) ? thrown.message : String(thrown);
}
