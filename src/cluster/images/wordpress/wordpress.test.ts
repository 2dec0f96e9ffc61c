import { describe, expect, it } from "vitest";
import { SmallCluster } from "#cluster/node/small-cluster.test-kit.ts";

/** WordPress in one Pod, MySQL in another; the address of MySQL's Pod stands for its Service. */
function start(options: { readonly password: string }) {
  const cluster = new SmallCluster();
  cluster.startKubelets();
  cluster.createPod("mysql", {
    containers: [
      {
        name: "mysql",
        image: "mysql:8.0",
        env: [
          { name: "MYSQL_ROOT_PASSWORD", value: "secret" },
          { name: "MYSQL_DATABASE", value: "wordpress" },
        ],
      },
    ],
  });
  cluster.untilReady("mysql");
  const address = cluster.pod("mysql").status?.podIP as string;
  cluster.createPod("wordpress", {
    containers: [
      {
        name: "wordpress",
        image: "wordpress:6.2.1-apache",
        env: [
          { name: "WORDPRESS_DB_HOST", value: address },
          { name: "WORDPRESS_DB_USER", value: "root" },
          { name: "WORDPRESS_DB_PASSWORD", value: options.password },
        ],
      },
    ],
  });
  cluster.untilReady("wordpress");
  cluster.simulation.advance(20_000);
  const get = (...words: readonly string[]): string => {
    let text = "";
    const host = cluster.pod("wordpress").status?.podIP as string;
    const [last = "", ...flags] = words.toReversed();
    cluster.node.machine.start({
      run: "/usr/bin/curl",
      argv: ["curl", "-s", ...flags.toReversed(), `http://${host}${last}`],
      stdout: (bytes) => {
        text += new TextDecoder().decode(bytes);
      },
    });
    cluster.simulation.advance(5_000);
    return text;
  };
  return { cluster, get };
}

describe("wordpress", () => {
  it("leads to its installation, and shows the site afterwards", () => {
    const { get } = start({ password: "secret" });
    expect(get("-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", "/")).toMatch(
      /^302 http:\/\/10\.244\.1\.\d+\/wp-admin\/install\.php$/u,
    );
    expect(get("/wp-admin/install.php")).toContain("<title>WordPress &rsaquo; Installation</title>");
    get("-d", "weblog_title=Ana's blog&user_name=ana&admin_email=ana@example.com", "/wp-admin/install.php?step=2");
    expect(get("/")).toContain("<h1>Ana's blog</h1>\n<h2>Hello world!</h2>\n");
  });

  it("says that it has no connection to its database", () => {
    const { get } = start({ password: "wrong" });
    expect(get("-w", "%{http_code}", "/")).toMatch(/<h1>Error establishing a database connection<\/h1>.*500$/su);
  });
});
