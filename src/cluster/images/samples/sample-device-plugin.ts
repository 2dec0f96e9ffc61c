// registry.k8s.io/e2e-test-images/sample-device-plugin: two devices without hardware, of the resource example.com/resource. A container
// that gets one finds a file of its name in /tmp (test/images/sample-device-plugin).

import { klogLine } from "#cluster/api/klog.ts";
import {
  type Device,
  type DevicePlugin,
  type DeviceWatch,
  kubeletSocket,
  type Registration,
} from "#cluster/node/kubelet/devices/plugin-api.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { writeWithoutWaiting } from "../log-line.ts";

const resourceName = "example.com/resource";
const devices: readonly Device[] = ["Dev-1", "Dev-2"].map((id) => ({ id, isHealthy: true }));
const panicCode = 2;
/** How soon a new socket of the kubelet is noticed. */
const lookMs = 1_000;

function log(self: Process, place: string, message: string): void {
  writeWithoutWaiting(self, 2, klogLine(self, "I", place, message));
}

/** A file for each device, in the plugin's own /tmp as upstream; the kubelet mounts what the node has at that path. */
function allocate(self: Process, ids: readonly string[]): ReturnType<DevicePlugin["allocate"]> {
  if (!self.exists("/tmp")) self.mkdir("/tmp");
  const paths = ids.map((id) => `/tmp/${id}`);
  for (const path of paths) self.writeFile(path, "");
  return { envs: {}, mounts: paths.map((path) => ({ containerPath: path, hostPath: path, readOnly: false })) };
}

/** Listens at its own socket. */
function serve(self: Process, socket: string): number {
  const watches: DeviceWatch[] = [];
  const plugin: DevicePlugin = {
    listAndWatch(watch) {
      log(self, "stub.go:339", '"ListAndWatch"');
      watches.push(watch);
      watch.devices(devices);
    },
    allocate: (ids) => allocate(self, ids),
    closed() {
      for (const watch of watches) watch.ended();
    },
  };
  const fd = self.bindSocket(socket, plugin);
  log(self, "stub.go:172", `"Starting to serve on socket" socket="${socket}"`);
  return fd;
}

function register(self: Process, socket: string): void {
  log(self, "stub.go:258", '"Deprecation file not found. Invoke registration"');
  const kubelet = self.connectSocket(kubeletSocket) as Registration;
  kubelet.register({ endpoint: socket.slice(socket.lastIndexOf("/") + 1), resourceName });
}

/** Changes when the kubelet has made its socket anew. */
function kubeletSocketId(self: Process): number | undefined {
  return self.exists(kubeletSocket) ? self.stat(kubeletSocket).inode : undefined;
}

/** Registers, and again with each kubelet that starts. */
function* run(self: Process, socket: string): Sys<never> {
  let fd = serve(self, socket);
  register(self, socket);
  for (let known = kubeletSocketId(self); ; ) {
    yield* self.sleep(lookMs);
    const found = kubeletSocketId(self);
    if (found === known || found === undefined) continue;
    known = found;
    log(self, "stub.go:225", `"inotify: file created, restarting" kubeletEndpoint="${kubeletSocket}"`);
    self.close(fd);
    if (self.exists(socket)) self.unlink(socket);
    fd = serve(self, socket);
    register(self, socket);
  }
}

export const sampleDevicePlugin: Program = function* (self) {
  for (const signal of ["TERM", "INT", "HUP"] as const) self.setSignal(signal, "catch");
  self.declareUse({ memoryBytes: 8_388_608 });
  const directory = self.env.get("PLUGIN_SOCK_DIR") ?? "/var/lib/kubelet/device-plugins/";
  log(self, "sampledeviceplugin.go:106", `"Determined configuration" CDI_ENABLED="" pluginSocksDir="${directory}"`);
  const socket = `${directory}/dp.${Math.floor(self.nowMs / 1000)}`;
  try {
    return yield* run(self, socket);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code !== "EINTR") {
      writeWithoutWaiting(
        self,
        2,
        `panic: listen unix ${socket}: bind: ${asciiLowerCase(error.message)}\n\ngoroutine 1 [running]:\nmain.main()\n`,
      );
      return panicCode;
    }
    log(self, "sampledeviceplugin.go:185", '"Shutting down, received signal" signal="terminated"');
    if (self.exists(socket)) self.unlink(socket);
    return 0;
  }
};
