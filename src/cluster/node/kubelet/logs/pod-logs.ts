// Where the logs of a node's containers are: `/var/log/pods/NAMESPACE_POD_UID/CONTAINER/ATTEMPT.log`, and a link to each by a
// flat name, `/var/log/containers/POD_NAMESPACE_CONTAINER-ID.log` (kuberuntime's logs/logs.go and legacy.go).

import { SysError } from "#sim/errors.ts";
import { rootCaller } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { DirectoryInode, type FileInode } from "#sim/filesystem/inode.ts";
import { enterAccount, openAccount } from "#sim/filesystem/storage-account.ts";
import type { ContainerConfig, RuntimeContainer } from "../../runtime/cri.ts";
import { TreeBuilder } from "../volumes/tree.ts";

export interface LogPolicy {
  /** containerLogMaxSize */
  readonly maximumBytes: number;
  /** containerLogMaxFiles, the current one among them. */
  readonly maximumFiles: number;
}

const podsPath = "/var/log/pods";
const linksPath = "/var/log/containers";
/** Longer names of links are cut. */
const maximumLinkName = 251;

interface PodName {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly uid: string };
}

function podDirectoryName({ metadata: { namespace = "", name, uid } }: PodName): string {
  // A join is kept in one piece, unlike what a template puts together.
  return [namespace, name, uid].join("_");
}

/** A directory of the disk, and what makes entries in it. */
interface Place {
  readonly directory: DirectoryInode;
  readonly tree: TreeBuilder;
}

export class PodLogs {
  readonly #files: HostFiles;
  readonly #nowMs: () => number;
  readonly #policy: LogPolicy;

  constructor(files: HostFiles, nowMs: () => number, policy: LogPolicy) {
    this.#files = files;
    this.#nowMs = nowMs;
    this.#policy = policy;
  }

  /** A container's log file, made when it is not there. Throws SysError. */
  create(pod: PodName, container: string, attempt: number): ContainerConfig["logFile"] {
    const { directory, tree } = this.#place(podsPath);
    const podName = podDirectoryName(pod);
    const ofPod = tree.childDirectory(directory, podName);
    const own = tree.childDirectory(ofPod, container);
    const account = own.account ?? openAccount(own);
    const name = `${attempt}.log`;
    const path = [podsPath, podName, container, name].join("/");
    const known = own.lookup(name, rootCaller);
    const file = known?.type === "file" && "content" in known ? known : this.#newFile(tree, own, name);
    return { path, file, account, limitBytes: this.#policy.maximumBytes };
  }

  /** How many instances of a container have had a log file: one more than the highest number. */
  attempts(pod: PodName, container: string): number {
    const ofPod = this.#find(podsPath)?.directory.lookup(podDirectoryName(pod), rootCaller);
    const own = ofPod instanceof DirectoryInode ? ofPod.lookup(container, rootCaller) : undefined;
    if (!(own instanceof DirectoryInode)) return 0;
    const numbers = own.names(rootCaller).map((name) => Number(/^(\d+)\.log(?:\.|$)/u.exec(name)?.[1] ?? -1));
    return Math.max(-1, ...numbers) + 1;
  }

  link(pod: PodName, container: RuntimeContainer): void {
    const { directory, tree } = this.#place(linksPath);
    const { namespace = "", name } = pod.metadata;
    directory.set(linkName(name, namespace, container), tree.symlink(container.config.logFile.path));
  }

  /** The files and the link of a container that the runtime has no more. */
  remove(container: RuntimeContainer): void {
    const { path } = container.config.logFile;
    this.removeFiles(path);
    const [namespace = "", pod = ""] = (path.split("/").at(-3) as string).split("_");
    const links = this.#find(linksPath);
    if (links !== undefined) this.#drop(links, linkName(pod, namespace, container));
  }

  /** The current file, and those beside it. */
  removeFiles(path: string): void {
    const { folder, name } = parted(path);
    const own = this.#find(folder);
    for (const each of own?.directory.names(rootCaller) ?? [])
      if (each === name || each.startsWith(`${name}.`)) this.#drop(own as Place, each);
  }

  /** All that is left of a pod, with links of containers that were removed from the runtime by hand. */
  removePod(pod: PodName, containers: readonly RuntimeContainer[]): void {
    for (const container of containers) this.remove(container);
    const name = podDirectoryName(pod);
    const place = this.#find(podsPath);
    const directory = place?.directory.lookup(name, rootCaller);
    if (place === undefined || !(directory instanceof DirectoryInode)) return;
    if (hasFiles(directory)) this.#dropLinks(`${podsPath}/${name}/`);
    place.tree.release(directory);
    this.#drop(place, name);
  }

  /** The files of a container's log beside the current one, oldest first: `0.log.20260101-000010.gz`. */
  rotated(container: RuntimeContainer): readonly string[] {
    const { folder, name } = parted(container.config.logFile.path);
    const names = this.#find(folder)?.directory.names(rootCaller) ?? [];
    return names.filter((each) => each.startsWith(`${name}.`)).map((each) => `${folder}/${each}`);
  }

  /** Gives the current file another name; the log goes on in a new one. Throws SysError. */
  rotate(container: RuntimeContainer, to: string): void {
    const { path } = container.config.logFile;
    this.#files.rename(path, to);
    const { folder, name } = parted(path);
    const { directory, tree } = this.#place(folder);
    container.log.reopen(this.#newFile(tree, directory, name));
  }

  #newFile(tree: TreeBuilder, directory: DirectoryInode, name: string): FileInode {
    const file = tree.file("", 0o640);
    enterAccount(file, directory);
    directory.set(name, file);
    return file;
  }

  /** Links that lead into a directory that is gone. */
  #dropLinks(target: string): void {
    const links = this.#find(linksPath);
    for (const name of links?.directory.names(rootCaller) ?? []) {
      const link = links?.directory.lookup(name, rootCaller);
      if (link !== undefined && "target" in link && link.target.startsWith(target)) this.#drop(links as Place, name);
    }
  }

  #drop({ directory, tree }: Place, name: string): void {
    const inode = directory.lookup(name, rootCaller);
    if (inode === undefined) return;
    directory.remove(name, rootCaller);
    tree.fileSystem.release(inode);
  }

  #place(path: string): Place {
    const known = this.#find(path);
    if (known !== undefined) return known;
    this.#files.makeDirectories(path);
    return this.#bound(this.#files.bind(path));
  }

  #find(path: string): Place | undefined {
    const bound = this.#files.bindIfThere(path);
    return bound === undefined ? undefined : this.#bound(bound);
  }

  #bound({ fileSystem, root }: ReturnType<HostFiles["bind"]>): Place {
    if (!(root instanceof DirectoryInode)) throw new SysError("ENOTDIR");
    return { directory: root, tree: new TreeBuilder(fileSystem, this.#nowMs) };
  }
}

function hasFiles(directory: DirectoryInode): boolean {
  return directory.names(rootCaller).some((name) => {
    const child = directory.lookup(name, rootCaller);
    return !(child instanceof DirectoryInode) || hasFiles(child);
  });
}

function parted(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, cut), name: path.slice(cut + 1) };
}

function linkName(pod: string, namespace: string, { id, config }: RuntimeContainer): string {
  return `${`${pod}_${namespace}_${config.name}-${id}`.slice(0, maximumLinkName)}.log`;
}
