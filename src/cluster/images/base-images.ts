// Images that are a shell and its commands: busybox, alpine, debian, ubuntu.

import type { FileTree } from "#sim/files.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image } from "./image.ts";
import { alpineTools, busybox28Tools, busyboxTools, debianTools, withRelease } from "./tools.ts";

interface BaseImage {
  readonly name: string;
  /** Version → tags that name it. */
  readonly versions: { readonly [version: string]: readonly string[] };
  readonly sizeBytes: number;
  readonly shell: string;
  readonly files: FileTree;
  /** Of versions that have others. */
  readonly otherFiles?: { readonly [version: string]: FileTree };
}

const ubuntuRelease =
  'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nVERSION="24.04.3 LTS (Noble Numbat)"\nID=ubuntu\nID_LIKE=debian\n';

const bases: readonly BaseImage[] = [
  {
    name: "busybox",
    versions: {
      "1.28.4": ["1.28", "1.28.4"],
      "1.31.1": ["1.31", "1.31.1"],
      "1.32.0": ["1.32", "1.32.0"],
      "1.35.0": ["1.35", "1.35.0"],
      "1.36.1": ["1.36", "1.36.1"],
      "1.37.0": ["1.37", "1.37.0", "latest", "stable", "musl", "glibc"],
    },
    sizeBytes: 2_223_686,
    shell: "sh",
    files: busyboxTools,
    otherFiles: { "1.28.4": busybox28Tools },
  },
  {
    name: "alpine",
    versions: { "3.20.8": ["3.20", "3.20.8"], "3.22.2": ["3.22", "3.22.2", "3", "latest"] },
    sizeBytes: 3_802_452,
    shell: "/bin/sh",
    files: alpineTools,
  },
  {
    name: "debian",
    versions: {
      "12.12": ["12", "12.12", "bookworm", "bookworm-slim"],
      "13.2": ["13", "13.2", "trixie", "trixie-slim", "stable-slim", "latest"],
    },
    sizeBytes: 49_282_613,
    shell: "bash",
    files: debianTools,
  },
  {
    name: "ubuntu",
    versions: { "22.04": ["22.04", "jammy"], "24.04": ["24.04", "noble", "latest"] },
    sizeBytes: 29_724_688,
    shell: "/bin/bash",
    files: withRelease(debianTools, ubuntuRelease),
  },
];

function imagesOf({ name, versions, sizeBytes, shell, files, otherFiles }: BaseImage): readonly Image[] {
  return Object.entries(versions).flatMap(([version, tags]) =>
    tags.map((tag) => ({
      repository: `docker.io/library/${name}`,
      tag,
      digest: digestOf(`${name} ${version}`),
      sizeBytes,
      config: configOf([], [shell]),
      files: otherFiles?.[version] ?? files,
    })),
  );
}

export const baseImages: readonly Image[] = bases.flatMap(imagesOf);
