import { describe, expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

const combined = (script: string, flavour: "gnu" | "busybox") => runShell(`exec 2>&1; cd /tmp; ${script}`, flavour).stdout;

describe("nc", () => {
  it.each<readonly [script: string, gnu: string, busybox: string]>([
    [
      "nc -z -v -w 1 127.0.0.1 9; echo $?",
      "nc: connect to 127.0.0.1 port 9 (tcp) failed: Connection refused\n1\n",
      "nc: 127.0.0.1 (127.0.0.1:9): Connection refused\n1\n",
    ],
    ["nc -z 127.0.0.1 9; echo $?", "1\n", "nc: 127.0.0.1 (127.0.0.1:9): Connection refused\n1\n"],
    [
      "nc -l -p 90 < /dev/null & sleep 1; nc -zv 127.0.0.1 89-91; echo $?; wait",
      "nc: connect to 127.0.0.1 port 89 (tcp) failed: Connection refused\nConnection to 127.0.0.1 90 port [tcp/*] succeeded!\nnc: connect to 127.0.0.1 port 91 (tcp) failed: Connection refused\n0\n",
      "nc: 127.0.0.1 (127.0.0.1:89): Connection refused\n127.0.0.1 (127.0.0.1:90) open\nnc: 127.0.0.1 (127.0.0.1:91): Connection refused\n0\n",
    ],
    [
      "echo hello | nc -l -p 90 > got & sleep 1; (echo there; sleep 1) | nc -w 3 127.0.0.1 90; echo $?; wait; cat got",
      "hello\n0\nthere\n",
      "hello\n1\nthere\n",
    ],
    [
      "nc nosuch 80; echo $?",
      'nc: getaddrinfo for host "nosuch" port 80: Name or service not known\n1\n',
      "nc: bad address 'nosuch'\n1\n",
    ],
    [
      "nc -u -l -p 90 -w 2 < /dev/null & sleep 1; (echo hello; sleep 1) | nc -u -w 1 127.0.0.1 90; echo $?; wait",
      "hello\n0\n",
      "hello\n0\n",
    ],
    [
      "(sleep 3; echo back) | nc -u -l -p 90 -w 9 & sleep 1; echo hello | nc -u -w 3 127.0.0.1 90; kill $!",
      "hello\nback\n",
      "hello\nback\n",
    ],
    ["nc -z -u -v -w 1 127.0.0.1 9; echo $?", "1\n", "1\n"],
    [
      "nc -u -l -p 90 > /dev/null & sleep 1; nc -z -u -v -w 1 127.0.0.1 90; echo $?; kill $!",
      "Connection to 127.0.0.1 90 port [udp/*] succeeded!\n0\n",
      "127.0.0.1 (127.0.0.1:90) open\n0\n",
    ],
    [
      "nc -u -l -p 90 & nc -u -l -p 90; echo $?; kill $!",
      "nc: Address already in use\n1\n",
      "nc: bind: Address already in use\n1\n",
    ],
    ["nc -l -p 90 & nc -l -p 90; echo $?; kill $!", "nc: Address already in use\n1\n", "nc: bind: Address already in use\n1\n"],
  ])("%s", (script, gnu, busybox) => {
    expect([combined(script, "gnu"), combined(script, "busybox")]).toEqual([gnu, busybox]);
  });

  it("ends with its input where it is told to, and at once when the other side ends", () => {
    const both = "nc -l -v -N 90 < /dev/null & sleep 1; echo hi | nc -N -v 127.0.0.1 90; echo $?; wait";
    expect(combined(both, "gnu").replace(/ \d{5}\n/u, " PORT\n")).toBe(
      "Listening on 0.0.0.0 90\nConnection received on 127.0.0.1 PORT\nConnection to 127.0.0.1 90 port [tcp/*] succeeded!\nhi\n0\n",
    );
    const datagrams = "timeout 3 nc -u -l -v -k 90 & sleep 1; for word in a b; do echo $word | nc -u -w 1 127.0.0.1 90; done; wait";
    expect(combined(datagrams, "gnu")).toBe("Bound on 0.0.0.0 90\na\nb\n");
    const shown = "nc -u -l 90 & sleep 1; sleep 9 | nc -u 127.0.0.1 90 & sleep 1; ss -H -uan; ss -H -uln; netstat -uan";
    expect(combined(shown, "gnu").replace(/3\d{4}/gu, "PORT1")).toBe(`UNCONN 0 0   0.0.0.0:90      0.0.0.0:*        
ESTAB  0 0 127.0.0.1:PORT1 127.0.0.1:90       
UNCONN 0 0 0.0.0.0:90 0.0.0.0:*       
Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State      
udp        0      0 0.0.0.0:90              0.0.0.0:*                          
udp        0      0 127.0.0.1:PORT1         127.0.0.1:90            ESTABLISHED
`);
    const first = "(echo bye; sleep 1) | nc -q 0 -l 90 & sleep 1; sleep 100 | nc 127.0.0.1 90; echo end";
    expect(combined(first, "gnu")).toBe("bye\nend\n");
  });
});

describe("telnet", () => {
  it.each<readonly [script: string, gnu: string, busybox: string]>([
    [
      "telnet 127.0.0.1 9; echo $?",
      "Trying 127.0.0.1...\ntelnet: Unable to connect to remote host: Connection refused\n1\n",
      "telnet: can't connect to remote host (127.0.0.1): Connection refused\n1\n",
    ],
    [
      "telnet nosuch 80; echo $?",
      "Server lookup failure:  nosuch:80, Name or service not known\n1\n",
      "telnet: bad address 'nosuch'\n1\n",
    ],
    [
      "(sleep 2; echo hello) | nc -w 3 -l -p 90 > got & sleep 1; (echo GET; sleep 9) | telnet 127.0.0.1 90; echo $?; od -c got",
      "Trying 127.0.0.1...\nConnected to 127.0.0.1.\nEscape character is '^]'.\nhello\nConnection closed by foreign host.\n1\n0000000   G   E   T  \\r  \\n\n0000005\n",
      "Connected to 127.0.0.1\nhello\nConnection closed by foreign host\r\n1\n0000000   G   E   T  \\r  \\n\n0000005\n",
    ],
  ])("%s", (script, gnu, busybox) => {
    expect([combined(script, "gnu"), combined(script, "busybox")]).toEqual([gnu, busybox]);
  });
});

describe("busybox httpd", () => {
  it("serves the files of its directory", () => {
    const script = `mkdir -p www/sub; echo hello > www/index.html; httpd -p 81 -h www; httpd -f -p 81; sleep 1
      for path in / /sub /nope; do wget -q -S -O - http://127.0.0.1:81$path 2>&1 | grep -v -i 'date:\\|modified\\|etag'; done`;
    expect(combined(script, "busybox")).toBe(`httpd: bind: Address already in use
  HTTP/1.1 200 OK
  connection: close
  content-type: text/html
  accept-ranges: bytes
  content-length: 6
hello
  HTTP/1.1 302 Found
  connection: close
  content-type: text/html
  location: /sub/
  content-length: 0
  HTTP/1.1 404 Not Found
  connection: close
  content-type: text/html
  content-length: 124
wget: server returned error: HTTP/1.1 404 Not Found
  HTTP/1.1 404 Not Found
  connection: close
  content-type: text/html
  content-length: 124
wget: server returned error: HTTP/1.1 404 Not Found
`);
  });

  it("runs the programs below /cgi-bin/, which read the body and write headers and a body", () => {
    const script = `mkdir -p www/cgi-bin/sub; httpd -p 82 -h www
      printf '#!/bin/sh\necho "Content-Type: text/plain"; echo; echo "$REQUEST_METHOD $SCRIPT_NAME [$PATH_INFO] [$QUERY_STRING] $CONTENT_LENGTH"; cat; echo; basename "$PWD"\n' > www/cgi-bin/echo
      printf '#!/bin/sh\necho "Status: 418 Teapot"; echo; echo short\n' > www/cgi-bin/sub/tea
      touch www/cgi-bin/plain; chmod +x www/cgi-bin/echo www/cgi-bin/sub/tea
      wget -q -O - --post-data 'a body' 'http://127.0.0.1:82/cgi-bin/echo/more?x=1'
      wget -q -O - http://127.0.0.1:82/cgi-bin/echo
      for path in sub/tea plain nope ''; do wget -q -O - http://127.0.0.1:82/cgi-bin/$path; done
      wget -q -O - --post-data x http://127.0.0.1:82/`;
    expect(combined(script, "busybox")).toBe(`POST /cgi-bin/echo [/more] [x=1] 6
a body
cgi-bin
GET /cgi-bin/echo [] []${" "}

cgi-bin
wget: server returned error: HTTP/1.1 418 I'm a teapot
wget: server returned error: HTTP/1.1 404 Not Found
wget: server returned error: HTTP/1.1 404 Not Found
wget: server returned error: HTTP/1.1 403 Forbidden
wget: server returned error: HTTP/1.1 501 Not Implemented
`);
  });

  it("passes on what is no text as the program wrote it", () => {
    const script = `mkdir -p www/cgi-bin; httpd -p 82 -h www
      printf '#!/bin/sh\nprintf "Content-Type: image/png\\r\\n\\r\\n"; echo /4AKCgA= | base64 -d\n' > www/cgi-bin/bytes; chmod +x www/cgi-bin/bytes
      wget -q -O - http://127.0.0.1:82/cgi-bin/bytes | od -An -tx1`;
    expect(combined(script, "busybox")).toBe(" ff 80 0a 0a 00\n");
  });
});
