// What is on a node's disk from the start: Debian with the kubelet and containerd.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { hostKernels, type MachineArchitecture } from "#sim/kernel-release.ts";
import type { CgroupVersion } from "#sim/process/boot.ts";
import { lateGrub } from "./late-grub.ts";

/** Whom machines ask for names. */
export const machineNameServer = "10.0.0.2";

const osRelease = `PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
NAME="Debian GNU/Linux"
VERSION_ID="13"
VERSION="13 (trixie)"
VERSION_CODENAME=trixie
ID=debian
HOME_URL="https://www.debian.org/"
`;

const passwd = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;

const podNetwork = `{
  "cniVersion": "1.0.0",
  "name": "pod-network",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "cni0",
      "isDefaultGateway": true,
      "hairpinMode": true,
      "ipam": { "type": "pod-network" }
    },
    {
      "type": "portmap",
      "capabilities": { "portMappings": true }
    }
  ]
}
`;

function file(content: string, permissions = 0o644): TreeEntry {
  return { type: "file", content, permissions };
}

/** A runtime's shim: containerd alone starts it, with options that a person does not give. */
export const runtimeShim: TreeEntry = {
  type: "program",
  permissions: 0o755,
  *program(self) {
    yield* self.write(2, `${self.argv[0]}: shim namespace cannot be empty\n`);
    return 1;
  },
};

const directory: TreeEntry = { type: "directory" };

export const osImage = "Debian GNU/Linux 13 (trixie)";

const commonFiles: FileTree = new Map<string, TreeEntry>([
  ["/bin", { type: "symlink", target: "usr/bin" }],
  ["/sbin", { type: "symlink", target: "usr/sbin" }],
  ["/etc/cni/net.d/10-pod-network.conflist", file(podNetwork)],
  ["/etc/os-release", file(osRelease)],
  ["/etc/fstab", file("# UNCONFIGURED FSTAB FOR BASE SYSTEM\n")],
  ["/etc/hostname", file("")],
  ["/etc/hosts", file("127.0.0.1 localhost\n")],
  ["/etc/machine-id", file("")],
  ["/etc/passwd", file(passwd)],
  ["/etc/group", file("root:x:0:\ndaemon:x:1:\nnogroup:x:65534:\n")],
  ["/etc/subgid", file("")],
  ["/etc/subuid", file("")],
  ["/etc/resolv.conf", file(`nameserver ${machineNameServer}\n`)],
  ["/etc/default/kubelet", file("KUBELET_EXTRA_ARGS=--v=3\n")],
  ["/etc/kubernetes/manifests", directory],
  ["/home", directory],
  ["/mnt", directory],
  ["/opt", directory],
  ["/root", { type: "directory", permissions: 0o700 }],
  ["/run/containerd", directory],
  ["/srv", directory],
  ["/sys", directory],
  ["/tmp", { type: "directory", permissions: 0o1777 }],
  ["/usr/bin", directory],
  ["/usr/bin/containerd-shim-runc-v2", runtimeShim],
  ["/usr/sbin", directory],
  ["/usr/local/bin", directory],
  ["/var/lib/containerd", directory],
  ["/var/lib/kubelet/pods", { type: "directory", permissions: 0o750 }],
  ["/var/log/containers", directory],
  ["/var/log/pods", directory],
  ["/var/run", { type: "symlink", target: "/run" }],
  ["/var/tmp", { type: "directory", permissions: 0o1777 }],
]);

function made(make: () => string, permissions = 0o644): TreeEntry {
  return { type: "made", make, permissions };
}

/** Nobody runs it: the boot loader starts it. */
function bootImage(sizeBytes: number): TreeEntry {
  return {
    type: "program",
    permissions: 0o644,
    sizeBytes,
    *program() {
      return 126;
    },
  };
}

function bootFiles(architecture: MachineArchitecture, cgroupVersion: CgroupVersion): readonly (readonly [string, TreeEntry])[] {
  const { release } = hostKernels[architecture];
  return [
    ["/boot/grub/grub.cfg", made(() => lateGrub.code.grubConfiguration(release, cgroupVersion), 0o600)],
    [`/boot/initrd.img-${release}`, bootImage(33_912_427)],
    [`/boot/vmlinuz-${release}`, bootImage(12_116_928)],
    ["/etc/default/grub", made(() => lateGrub.code.grubDefaults(cgroupVersion))],
    ["/etc/default/grub.d", directory],
    ["/usr/sbin/grub-mkconfig", made(() => lateGrub.code.makeConfiguration, 0o755)],
    ["/usr/sbin/update-grub", made(() => lateGrub.code.updateGrub, 0o755)],
  ];
}

/** What lies on the disk by its processors and by how it is to boot. */
export function machineFiles(architecture: MachineArchitecture, cgroupVersion: CgroupVersion): FileTree {
  return new Map([...commonFiles, ...bootFiles(architecture, cgroupVersion)]);
}
