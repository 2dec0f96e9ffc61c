import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import { nginxImages } from "./image.ts";

const addresses = "$proxy_protocol_addr:$proxy_protocol_port to $proxy_protocol_server_addr:$proxy_protocol_server_port";
const configuration = `log_format proxied '$remote_addr for "$proxy_protocol_addr"';
access_log /var/log/nginx/access.log proxied;
server { listen 80; listen 81 proxy_protocol; return 200 "${addresses}"; }\n`;

function proxied(text = configuration) {
  const made = machine(nginxImages.find(({ tag }) => tag === "1.27")?.files);
  const pidNamespace = made.kernel.createPidNamespace(made.pidNamespace);
  made.files.writeFile("/etc/nginx/conf.d/default.conf", text);
  const [stdout, stderr] = [collector(), collector()];
  const argv = ["nginx", "-g", "daemon off;"];
  made.start("/usr/sbin/nginx", { argv, pidNamespace, stdout: stdout.sink, stderr: stderr.sink });
  made.simulation.advance(100);
  /** What a connection gets for these pieces; the last line, or how it broke. */
  const say = (port: number, ...pieces: readonly string[]): string => {
    let text = "";
    made.network.connect({ address: "127.0.0.1", port }, {}, (result) => {
      if (!result.ok) {
        text = String(result.error);
        return;
      }
      const { stream } = result;
      stream.onData = (bytes) => {
        text += decodeUtf8(bytes);
      };
      stream.onClose = (error) => {
        text += error ?? "";
      };
      for (const piece of pieces) {
        stream.write(encodeUtf8(piece));
        made.simulation.advance(10);
      }
    });
    made.simulation.advance(1000);
    return text.split("\r\n").at(-1) as string;
  };
  const request = (port: number): string => {
    let answer = "nothing";
    made.network.request(
      { address: "127.0.0.1", port },
      { method: "GET", target: "/", headers: {}, body: noBytes },
      {},
      (result) => {
        answer = result.ok ? String(result.exchange.status) : String(result.error);
      },
    );
    made.simulation.advance(1000);
    return answer;
  };
  return { say, request, stdout, stderr };
}

const get = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n";

describe("listen with proxy_protocol", () => {
  it.each([
    ["in one piece", [`PROXY TCP4 192.0.2.202 10.0.42.7 12345 80\r\n${get}`], "192.0.2.202:12345 to 10.0.42.7:80"],
    ["before the request", ["PROXY TCP4 192.0.2.202 10.0.42.7 12345 80\r\n", get], "192.0.2.202:12345 to 10.0.42.7:80"],
    ["of IPv6", [`PROXY TCP6 2001:db8::1 2001:db8::2 4000 443\r\n${get}`], "2001:db8::1:4000 to 2001:db8::2:443"],
    ["that says nothing", [`PROXY UNKNOWN ffff\r\n${get}`], ": to :"],
  ])("takes a line %s, and knows both addresses by it", (_, pieces, text) => {
    expect(proxied().say(81, ...pieces)).toBe(text);
  });

  it("keeps the connection's own address beside it", () => {
    const { say, stdout } = proxied();
    say(81, `PROXY TCP4 192.0.2.202 10.0.42.7 12345 80\r\n${get}`);
    say(80, get);
    expect(stdout.text()).toBe('127.0.0.1 for "192.0.2.202"\n127.0.0.1 for "-"\n');
  });

  it("hangs up on whoever begins otherwise, and says so in the log", () => {
    const { say, request, stderr } = proxied();
    expect([say(81, get), say(81, "PROXY TCP4 192.0.2.202\r\n"), request(81), request(80)]).toEqual([
      "ECONNRESET",
      "ECONNRESET",
      "ECONNRESET",
      "200",
    ]);
    expect(stderr.text()).toMatch(
      /\[error\] \d+#\d+: \*1 broken header: "GET \/ HTTP\/1\.1" while reading PROXY protocol, client: 127\.0\.0\.1, server: 0\.0\.0\.0:81\n/,
    );
  });

  it("a port without it does not understand the line", () => {
    expect(proxied().say(80, `PROXY TCP4 192.0.2.202 10.0.42.7 12345 80\r\n${get}`)).toBe("400 Bad Request");
  });

  it("refuses it together with TLS, which is not here", () => {
    const { stderr } = proxied("server { listen 443 ssl proxy_protocol; }\n");
    expect(stderr.text()).toContain('"proxy_protocol" with "ssl" is not supported here in /etc/nginx/conf.d/default.conf:1');
  });
});
