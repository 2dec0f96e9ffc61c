// What the programs that show the network say on the machines of a whole cluster and in its containers.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("a cluster's networks", () => {
  let learner: TypingLearner;

  beforeAll(() => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files: {} });
    world.boot();
    world.client.create(kinds.pods, {
      metadata: { name: "web", namespace: "default" },
      spec: {
        nodeName: "node-1",
        containers: [
          { name: "nginx", image: "nginx:1.27" },
          { name: "box", image: "busybox:1.36", command: ["sleep", "infinity"] },
        ],
      },
    });
    world.simulation.advance(60_000);
    learner = sitDown(world, { columns: 200, rows: 60 });
  });

  const inContainer = "kubectl exec web -c box --";
  const cases: readonly (readonly [string, string])[] = [
    [
      "ip addr",
      `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000
    link/ether 02:42:ac:12:ff:01 brd ff:ff:ff:ff:ff:ff
    inet 172.18.255.1/16 brd 172.18.255.255 scope global eth0
       valid_lft forever preferred_lft forever
`,
    ],
    ["hostname -i", "127.0.1.1\n"],
    [
      "netstat -tlnp",
      `(Not all processes could be identified, non-owned process info
 will not be shown, you would have to be root to see it all.)
Active Internet connections (only servers)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
`,
    ],
    [
      "ssh node-1 ip -br addr",
      `lo               UNKNOWN        127.0.0.1/8
eth0             UP             172.18.0.3/16
cni0             UP             10.244.1.1/24
veth0af40102@if2 UP
`,
    ],
    [
      "ssh node-1 ip -4 -o addr show cni0",
      "3: cni0    inet 10.244.1.1/24 brd 10.244.1.255 scope global cni0\\       valid_lft forever preferred_lft forever\n",
    ],
    [
      "ssh node-1 ip link show veth0af40102",
      `4: veth0af40102@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue master cni0 state UP mode DEFAULT group default qlen 1000
    link/ether 4e:1d:0a:f4:01:02 brd ff:ff:ff:ff:ff:ff link-netnsid 0
`,
    ],
    [
      "ssh node-1 ip route",
      `default via 172.18.0.1 dev eth0
10.244.0.0/24 via 172.18.0.2 dev eth0
10.244.1.0/24 dev cni0 proto kernel scope link src 10.244.1.1
10.244.2.0/24 via 172.18.0.4 dev eth0
172.18.0.0/16 dev eth0 proto kernel scope link src 172.18.0.3
`,
    ],
    [
      "ssh node-1 'ip route get 10.244.2.7; ip route get 10.244.1.2'",
      `10.244.2.7 via 172.18.0.4 dev eth0 src 172.18.0.3 uid 0
    cache
10.244.1.2 dev cni0 src 10.244.1.1 uid 0
    cache
`,
    ],
    [
      "ssh node-1 ss -tlnp",
      `State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
LISTEN 0      4096       127.0.0.1:10248      0.0.0.0:*
LISTEN 0      4096       127.0.0.1:10249      0.0.0.0:*    users:(("kube-proxy",pid=1,fd=4))
LISTEN 0      4096         0.0.0.0:10250      0.0.0.0:*
LISTEN 0      4096         0.0.0.0:10256      0.0.0.0:*    users:(("kube-proxy",pid=1,fd=3))
`,
    ],
    [
      "ssh node-1 netstat -rn",
      `Kernel IP routing table
Destination     Gateway         Genmask         Flags   MSS Window  irtt Iface
0.0.0.0         172.18.0.1      0.0.0.0         UG        0 0          0 eth0
10.244.0.0      172.18.0.2      255.255.255.0   UG        0 0          0 eth0
10.244.1.0      0.0.0.0         255.255.255.0   U         0 0          0 cni0
10.244.2.0      172.18.0.4      255.255.255.0   UG        0 0          0 eth0
172.18.0.0      0.0.0.0         255.255.0.0     U         0 0          0 eth0
`,
    ],
    [
      "ssh node-1 ifconfig cni0",
      `cni0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
        inet 10.244.1.1  netmask 255.255.255.0  broadcast 10.244.1.255
        ether 0a:58:0a:f4:01:01  txqueuelen 1000  (Ethernet)

`,
    ],
    [
      `${inContainer} ip addr`,
      `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
2: eth0@if4: <BROADCAST,MULTICAST,UP,LOWER_UP,M-DOWN> mtu 1500 qdisc noqueue qlen 1000
    link/ether 0a:58:0a:f4:01:02 brd ff:ff:ff:ff:ff:ff
    inet 10.244.1.2/24 brd 10.244.1.255 scope global eth0
       valid_lft forever preferred_lft forever
`,
    ],
    [`${inContainer} ip route`, "default via 10.244.1.1 dev eth0\n10.244.1.0/24 dev eth0 scope link  src 10.244.1.2\n"],
    [`${inContainer} hostname -i`, "10.244.1.2\n"],
    [
      `${inContainer} netstat -tlnp`,
      `Active Internet connections (only servers)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        0      0 0.0.0.0:80              0.0.0.0:*               LISTEN      -
`,
    ],
    [
      `${inContainer} route`,
      `Kernel IP routing table
Destination     Gateway         Genmask         Flags Metric Ref    Use Iface
default         10.244.1.1      0.0.0.0         UG    0      0        0 eth0
10.244.1.0      *               255.255.255.0   U     0      0        0 eth0
`,
    ],
    [
      `${inContainer} ifconfig`,
      `eth0      Link encap:Ethernet  HWaddr 0A:58:0A:F4:01:02
          inet addr:10.244.1.2  Bcast:10.244.1.255  Mask:255.255.255.0
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
          txqueuelen:1000

lo        Link encap:Local Loopback
          inet addr:127.0.0.1  Mask:255.0.0.0
          UP LOOPBACK RUNNING  MTU:65536  Metric:1
          txqueuelen:1000

`,
    ],
    [
      "nc -lk 9000 > /dev/null & sleep 1; ss -tlnp | grep -o 0.0.0.0:9000.*users.*pid",
      '[1] 20\n0.0.0.0:9000      0.0.0.0:*    users:(("nc",pid\n',
    ],
    [
      `${inContainer} sh -c 'sleep 9 | nc 172.18.255.1 9000 & sleep 1; netstat -tn; ip neigh; arp -n; netstat -tnp | grep -o EST.*'`,
      `Active Internet connections (w/o servers)
Proto Recv-Q Send-Q Local Address           Foreign Address         State
tcp        0      0 10.244.1.2:32768        172.18.255.1:9000       ESTABLISHED
10.244.1.1 dev eth0 lladdr 0a:58:0a:f4:01:01 ref 1 used 0/0/0 probes 1 REACHABLE
? (10.244.1.1) at 0a:58:0a:f4:01:01 [ether]  on eth0
ESTABLISHED 10/nc
`,
    ],
    // A redirection of bash connects to a host; busybox's shell has no such paths.
    [
      "kubectl exec web -c nginx -- bash -c 'exec 3<>/dev/tcp/127.0.0.1/80; printf \"HEAD / HTTP/1.0\\r\\n\\r\\n\" >&3; head -1 <&3'",
      "HTTP/1.1 200 OK\n",
    ],
    [
      "kubectl exec web -c nginx -- bash -c 'for p in 80 81 http; do (> /dev/tcp/localhost/$p) && echo $p is open; done; : < /dev/tcp/nobody.example/1'",
      `80 is open
bash: connect: Connection refused
bash: line 1: /dev/tcp/localhost/81: Connection refused
bash: line 1: http: Servname not supported for ai_socktype
bash: line 1: /dev/tcp/localhost/http: Invalid argument
bash: line 1: nobody.example: Name or service not known
bash: line 1: /dev/tcp/nobody.example/1: Invalid argument
command terminated with exit code 1
`,
    ],
    ["timeout 1 bash -c 'echo > /dev/tcp/control-plane/6443' && echo open", "open\n"],
    [
      `${inContainer} sh -c ': > /dev/tcp/localhost/80'`,
      "sh: can't create /dev/tcp/localhost/80: nonexistent directory\ncommand terminated with exit code 1\n",
    ],
    ["ss -Htn | tr -s ' '; ss -tn | wc -l", "ESTAB 0 0 172.18.255.1:9000 172.18.0.3:32768\n2\n"],
    [
      "ss -Htn dport = :1; ss -tan state listening sport = :9000 | cat",
      "Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n0      4096         0.0.0.0:9000      0.0.0.0:*\n",
    ],
    ["ip neigh", "172.18.0.3 dev eth0 lladdr 02:42:ac:12:00:03 REACHABLE\n"],
    [
      "ip -s link; ip foo; ip addr add 10.0.0.1/8 dev eth0; ip addr show nosuch; ss -i; netstat -s; ip rule",
      `option -s is not supported here
Object "foo" is unknown, try "ip help".
RTNETLINK answers: Operation not permitted
Device "nosuch" does not exist.
ss: option -i is not supported here
netstat: option -s is not supported here
ip rule is not supported here
`,
    ],
    [
      "openssl s_client -connect 172.18.0.2:6443 </dev/null 2>/dev/null | openssl x509 -noout -subject -issuer",
      "subject=CN = kube-apiserver\nissuer=CN = kubernetes\n",
    ],
    [
      "ssh control-plane 'openssl s_client -connect localhost:6443 -CAfile /etc/kubernetes/pki/ca.crt 2>&1 </dev/null' | grep -E '^(depth|verify|Verif|DONE)'",
      `depth=1 CN = kubernetes
verify return:1
depth=0 CN = kube-apiserver
verify return:1
Verification: OK
Verify return code: 0 (ok)
DONE
`,
    ],
    [
      "openssl s_client -connect 172.18.0.2:6443 2>&1 </dev/null | grep -E '^(verify error|Verif)'; openssl s_client -connect 172.18.0.2:1 2>&1 | tail -n 1",
      `verify error:num=20:unable to get local issuer certificate
verify error:num=21:unable to verify the first certificate
Verification error: unable to verify the first certificate
Verify return code: 21 (unable to verify the first certificate)
connect:errno=111
`,
    ],
    [
      "printf 'GET /version HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | openssl s_client -quiet -connect 172.18.0.2:6443 2>/dev/null | grep -c gitVersion",
      "1\n",
    ],
  ];

  it.each(cases)("%s", (line, output) => {
    expect(learner.run(line)).toBe(output);
  });

  it("tells root of a machine, and whoever has NET_ADMIN, that the network cannot be changed", () => {
    const told = "is not supported here: the network cannot be changed\n";
    expect(learner.run("ssh node-1 ip link set eth0 down")).toBe(`set ${told}`);
    expect(learner.run(`${inContainer} ip link set eth0 down 2>&1 | head -n 1`)).toContain("Operation not permitted");
    learner.run("kubectl debug web --image=busybox:1.36 -c net --profile=netadmin -- sleep 1d; sleep 5");
    expect(learner.run("kubectl exec web -c net -- ip addr add 10.0.0.1/8 dev eth0")).toContain(`add ${told}`);
  });
});
