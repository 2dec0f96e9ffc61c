// What every machine and every container on it says of its kernel: they share one.

/** `uname -r` */
export const kernelRelease = "6.12.48+deb13-amd64";
/** `uname -v` */
export const kernelBuild = "#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1 (2025-09-20)";
