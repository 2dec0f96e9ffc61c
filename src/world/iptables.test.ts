// What `iptables` does on a node: rules of all tables to look at, and rules of the filter table, by hand.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "#world/terminal.test-kit.ts";
import { World } from "#world/world.ts";

describe("iptables on a node", () => {
  let world: World;
  let learner: TypingLearner;
  const onNode = (command: string): string => learner.run(`ssh node-1 "${command}"`);
  const list = (): readonly string[] => onNode("iptables -S INPUT").trim().split("\n");

  beforeEach(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    learner = sitDown(world, { columns: 200 });
  });

  it("adds a rule at the end, in front or at a place, and takes it away by its words or its number", () => {
    const before = list();
    expect(before[0]).toBe("-P INPUT ACCEPT");
    expect(before).toContain("-A INPUT -j KUBE-FIREWALL");
    const rule = "-s 172.18.0.2/32 -p tcp -m tcp --dport 10250";
    expect(onNode("iptables -A INPUT -p tcp --dport 10250 -s 172.18.0.2 -j DROP")).toBe("\n");
    expect(list()).toEqual([...before, `-A INPUT ${rule} -j DROP`]);
    onNode("iptables -I INPUT -p tcp -s 172.18.0.2 --dport 10250 -j REJECT -m comment --comment audit");
    expect(list()[1]).toBe(`-A INPUT ${rule} -m comment --comment audit -j REJECT --reject-with icmp-port-unreachable`);
    onNode("iptables -I INPUT 2 -s 10.0.0.0/8 -j ACCEPT");
    expect(list()[2]).toBe("-A INPUT -s 10.0.0.0/8 -j ACCEPT");
    onNode("iptables -D INPUT 2");
    onNode("iptables -D INPUT 1");
    onNode("iptables -D INPUT -s 172.18.0.2 -p tcp --dport 10250 -j DROP");
    expect(list()).toEqual(before);
    onNode("iptables -F INPUT");
    expect(list()).toEqual(["-P INPUT ACCEPT"]);
    expect(onNode("iptables-save -t filter")).toContain("-A OUTPUT -j KUBE-FIREWALL\n");
  });

  const dns = "KUBE-SVC-ERIFXISQEP7F7OF4";

  it("lists the rules of any table, in the words of iptables-save", () => {
    for (const table of ["nat", "filter", "mangle"]) {
      const saved = onNode(`iptables-save -t ${table}`).split("\n");
      const shown = onNode(`iptables -t ${table} -S`).trim().split("\n");
      expect(shown.filter((line) => line.startsWith("-A "))).toEqual(saved.filter((line) => line.startsWith("-A ")));
      const chains = saved.filter((line) => line.startsWith(":")).map((line) => line.slice(1).split(" "));
      expect(shown.filter((line) => !line.startsWith("-A "))).toEqual(
        chains.map(([name, policy]) => (policy === "-" ? `-N ${name}` : `-P ${name} ${policy}`)),
      );
    }
    expect(onNode(`iptables -t nat -S ${dns}`).split("\n").slice(0, 2)).toEqual([
      `-N ${dns}`,
      `-A ${dns} ! -s 10.244.0.0/16 -d 10.96.0.10/32 -p tcp -m comment --comment "kube-system/kube-dns:dns-tcp cluster IP" -m tcp --dport 53 -j KUBE-MARK-MASQ`,
    ]);
    expect(onNode("iptables -t nat -S PREROUTING")).toBe(
      '-P PREROUTING ACCEPT\n-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES\n',
    );
  });

  it("shows a chain as a table, with what jumps to it and what each rule asks for", () => {
    const [title, head, first, second, ...more] = onNode(`iptables -t nat -nL ${dns}`).split("\n");
    expect(title).toBe(`Chain ${dns} (1 references)`);
    expect(head).toBe("target     prot opt source               destination");
    expect(first).toBe(
      "KUBE-MARK-MASQ  tcp  -- !10.244.0.0/16        10.96.0.10           /* kube-system/kube-dns:dns-tcp cluster IP */ tcp dpt:53",
    );
    expect(second).toMatch(
      /^KUBE-SEP-\w{16} {2}all {2}-- {2}0\.0\.0\.0\/0 {12}0\.0\.0\.0\/0 {12}\/\* kube-system\/kube-dns:dns-tcp -> 10\.244\.\d\.\d+:53 \*\/ statistic mode random probability 0\.50000000000$/u,
    );
    expect(more[0]).not.toContain("statistic");
    const chain = more[0]?.split(" ")[0] ?? "";
    expect(onNode(`iptables -t nat -L ${chain} -n --line-numbers`)).toMatch(
      /^Chain \S+ \(1 references\)\nnum {2}target .*\n1 {4}KUBE-MARK-MASQ {2}all {2}-- {2}10\.\S+ +0\.0\.0\.0\/0 {12}\/\* \S+ \*\/\n2 {4}DNAT {7}tcp {2}-- .* \/\* \S+ \*\/ tcp to:10\.\S+:53\n$/u,
    );
    expect(onNode("iptables -t nat -L KUBE-POSTROUTING -n").split("\n").slice(2, 5)).toEqual([
      "RETURN     all  --  0.0.0.0/0            0.0.0.0/0            mark match ! 0x4000/0x4000",
      "MARK       all  --  0.0.0.0/0            0.0.0.0/0            MARK xor 0x4000",
      "MASQUERADE  all  --  0.0.0.0/0            0.0.0.0/0            /* kubernetes service traffic requiring SNAT */ random-fully",
    ]);
    onNode("iptables -A INPUT -p udp -s 10.0.0.0/8 --dport 9 -j REJECT");
    const filter = onNode("iptables -n -L");
    expect(filter).toContain("\n\nChain FORWARD (policy ACCEPT)\n");
    expect(filter).toContain(
      "REJECT     udp  --  10.0.0.0/8           0.0.0.0/0            udp dpt:9 reject-with icmp-port-unreachable\n",
    );
    expect(filter).toContain(
      "DROP       all  -- !127.0.0.0/8          127.0.0.0/8          /* block incoming localnet connections */ ! ctstate RELATED,ESTABLISHED,DNAT\n",
    );
    expect(filter).toMatch(/\nChain KUBE-FIREWALL \(2 references\)\n/u);
  });

  it("names addresses and ports in a table without -n, where a node's own files do", () => {
    expect(onNode(`iptables -t nat -L ${dns}`).split("\n")[2]).toBe(
      "KUBE-MARK-MASQ  tcp  -- !10.244.0.0/16        10.96.0.10           /* kube-system/kube-dns:dns-tcp cluster IP */ tcp dpt:domain",
    );
    expect(onNode("iptables -L")).toContain(
      "DROP       all  -- !loopback/8           loopback/8           /* block incoming localnet connections */ ! ctstate RELATED,ESTABLISHED,DNAT\n",
    );
    expect(onNode("iptables --list KUBE-FORWARD --line-numbers")).toMatch(/\n1 {4}DROP .* anywhere {13}anywhere /u);
  });

  it("works on the tables nat and mangle, too, and deletes chains that are empty and that nothing leads to", () => {
    const statusOf = (command: string): string => learner.run(`ssh node-1 '${command}; echo $?'`);
    expect(onNode("iptables -t nat -S PREROUTING")).toContain(
      '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES\n',
    );
    const busy = (chain: string) =>
      `iptables v1.8.11 (nf_tables):  CHAIN_DEL failed (Device or resource busy): chain ${chain}\n4\n`;
    expect(statusOf("iptables -t nat -X KUBE-SERVICES")).toBe(busy("KUBE-SERVICES"));
    expect(statusOf("iptables -t nat -X")).toBe(busy("KUBE-MARK-MASQ"));
    onNode("iptables -t nat -F");
    const chains = onNode("iptables -t nat -S").trim().split("\n");
    expect(chains.filter((line) => line.startsWith("-A"))).toEqual([]);
    expect(chains).toContain("-N KUBE-SERVICES");
    expect(statusOf("iptables -t nat -X KUBE-SERVICES")).toBe("0\n");
    expect(statusOf("iptables -t nat -X KUBE-SERVICES")).toBe(
      "iptables v1.8.11 (nf_tables): No chain/target/match by that name.\n1\n",
    );
    onNode("iptables -t nat -A OUTPUT -d 10.96.0.10 -j KUBE-MARK-MASQ");
    expect(onNode("iptables -t nat -S OUTPUT")).toBe("-P OUTPUT ACCEPT\n-A OUTPUT -d 10.96.0.10/32 -j KUBE-MARK-MASQ\n");
    onNode("iptables -t nat -F; iptables -t nat -X");
    expect(
      onNode("iptables -t nat -S")
        .trim()
        .split("\n")
        .every((line) => line.startsWith("-P ")),
    ).toBe(true);
    expect(onNode("iptables -t mangle -S")).toContain("-N KUBE-PROXY-CANARY\n");
    expect(statusOf("iptables -t nat -A OUTPUT -j NONE")).toBe(
      "iptables v1.8.11 (nf_tables):  RULE_APPEND failed (No such file or directory): rule in chain OUTPUT\n4\n",
    );
    expect(statusOf("iptables -t nat -I OUTPUT -j REJECT")).toBe(
      "iptables v1.8.11 (nf_tables):  RULE_INSERT failed (Invalid argument): rule in chain OUTPUT\n4\n",
    );
    expect(statusOf("iptables -t nat -A OUTPUT -j DROP")).toContain("the use of DROP is therefore inhibited.\n");
    expect(statusOf("iptables -t lost -F")).toBe(
      "iptables v1.8.11 (nf_tables): table '\"'\"'lost'\"'\"' does not exist\nPerhaps iptables or your kernel needs to be upgraded.\n3\n".replaceAll(
        "'\"'\"'",
        "'",
      ),
    );
  });

  it("refuses what it does not know, and is not there on the workstation", () => {
    const statusOf = (command: string): string => learner.run(`ssh node-1 '${command}; echo $?'`);
    expect(statusOf("iptables -D INPUT -p tcp --dport 1 -j DROP")).toBe(
      "iptables v1.8.11 (nf_tables): Bad rule (does a matching rule exist in that chain?).\n1\n",
    );
    expect(statusOf("iptables -A NONE -j DROP")).toBe("iptables v1.8.11 (nf_tables): No chain/target/match by that name.\n1\n");
    const help = "Try `iptables -h' or 'iptables --help' for more information.\n2\n";
    expect(statusOf("iptables -A INPUT --dport 1 -j DROP")).toBe(`iptables v1.8.11 (nf_tables): unknown option "--dport"\n${help}`);
    expect(statusOf("iptables -A INPUT -p tcp --syn -j DROP")).toBe(
      `iptables v1.8.11 (nf_tables): unknown option "--syn"\n${help}`,
    );
    expect(statusOf("iptables -A INPUT -j DROP --reject-with icmp-port-unreachable")).toBe(
      `iptables v1.8.11 (nf_tables): unknown option "--reject-with"\n${help}`,
    );
    for (const wrong of ["1.2.3", "1.2.3.256", "1.2.3.4/33", "elsewhere"])
      expect(statusOf(`iptables -A INPUT -s ${wrong} -j DROP`)).toBe(
        `iptables v1.8.11 (nf_tables): host/network \`${wrong}' not found\n${help}`,
      );
    expect(statusOf("iptables -N MINE")).toBe("iptables v1.8.11 (nf_tables): -N is not supported here; -S lists the rules\n2\n");
    expect(statusOf("iptables -nvL")).toBe("iptables v1.8.11 (nf_tables): -v is not supported here: packets are not counted\n2\n");
    expect(statusOf("iptables -t nat -S NONE")).toBe(
      "iptables v1.8.11 (nf_tables): chain `NONE' in table `nat' is incompatible, use 'nft' tool.\n1\n",
    );
    expect(statusOf("iptables -t nut -S")).toBe(
      "iptables v1.8.11 (nf_tables): table 'nut' does not exist\nPerhaps iptables or your kernel needs to be upgraded.\n3\n",
    );
    expect(learner.run("iptables -S; echo $?")).toContain("command not found");
  });

  it("holds for the next connections of the machine: to the kubelet, and of the kubelet", () => {
    const isReady = (): string =>
      learner.run("kubectl get node node-1 -o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}'; echo").trim();
    onNode("iptables -A INPUT -s 172.18.0.2 -p tcp --dport 10250 -j REJECT");
    expect(learner.run("kubectl get --raw /api/v1/nodes/node-1/proxy/healthz")).toContain(
      "dial tcp 172.18.0.3:10250: connect: connection refused",
    );
    world.simulation.advance(70_000);
    expect(isReady()).toBe("True");
    onNode("iptables -A OUTPUT -d 172.18.0.2 -p tcp --dport 6443 -j DROP");
    world.simulation.advance(60_000);
    expect(isReady()).toBe("Unknown");
    onNode("iptables -D OUTPUT -d 172.18.0.2 -p tcp --dport 6443 -j DROP");
    world.simulation.advance(20_000);
    expect(isReady()).toBe("True");
    onNode("iptables -D INPUT -s 172.18.0.2 -p tcp --dport 10250 -j REJECT");
    expect(learner.run("kubectl get --raw /api/v1/nodes/node-1/proxy/healthz; echo")).toBe("ok\n");
  });
});
