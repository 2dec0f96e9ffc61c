import { describe, expect, it } from "vitest";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { ProcessHandle } from "#sim/kernel.ts";
import { redisImages } from "./image.ts";

const files = redisImages.find(({ tag }) => tag === "7.4")?.files;

/** A machine with Redis on its disk; `serve` is the container's start, `cli` a command of redis-cli. */
function redisMachine() {
  const made = machine(files);
  const log = collector();
  const serve = (...argv: readonly string[]): ProcessHandle => {
    const handle = made.start("/usr/local/bin/docker-entrypoint.sh", {
      argv: ["docker-entrypoint.sh", ...argv],
      env: new Map([["PATH", "/usr/local/bin:/usr/bin:/bin"]]),
      stdout: log.sink,
      stderr: log.sink,
    });
    made.simulation.advance(100);
    return handle;
  };
  const cli = (...words: readonly string[]): string => {
    const ran = made.run("/usr/local/bin/redis-cli", { argv: ["redis-cli", ...words] });
    return ran.stdout + ran.stderr;
  };
  return { ...made, serve, cli, log };
}

const undated = (text: string): string => text.replaceAll(/^\d+:(\w) \d\d \w{3} \d{4} [\d:.]+/gm, "PID:$1 DATE");

describe("redis-server", () => {
  it("logs its start as the image does", () => {
    const redis = redisMachine();
    redis.serve("redis-server");
    expect(
      undated(redis.log.text()).replaceAll(/pid=\d+/g, "pid=N"),
    ).toBe(`PID:C DATE * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
PID:C DATE * Redis version=7.4.6, bits=64, commit=00000000, modified=0, pid=N, just started
PID:C DATE # Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf
PID:M DATE * monotonic clock: POSIX clock_gettime
PID:M DATE * Running mode=standalone, port=6379.
PID:M DATE * Server initialized
PID:M DATE * Ready to accept connections tcp
`);
  });

  it("keeps strings, numbers, lists, sets and hashes", () => {
    const { serve, cli } = redisMachine();
    serve("redis-server");
    expect(cli("PING")).toBe("PONG\n");
    expect(cli("SET", "city", "Zürich")).toBe("OK\n");
    expect(cli("GET", "city")).toBe("Zürich\n");
    expect(cli("--no-raw", "GET", "city")).toBe('"Z\\xc3\\xbcrich"\n');
    expect(cli("--no-raw", "INCR", "hits")).toBe("(integer) 1\n");
    expect(cli("--no-raw", "LPUSH", "queue", "a", "b")).toBe("(integer) 2\n");
    expect(cli("--no-raw", "LRANGE", "queue", "0", "-1")).toBe('1) "b"\n2) "a"\n');
    expect(cli("SADD", "tags", "x", "x", "y")).toBe("2\n");
    expect(cli("HSET", "user", "name", "Ana", "age", "30")).toBe("2\n");
    expect(cli("HGETALL", "user")).toBe("name\nAna\nage\n30\n");
    expect(cli("--no-raw", "KEYS", "[b-d]it*")).toBe('1) "city"\n');
    expect(cli("--no-raw", "GET", "nothing")).toBe("(nil)\n");
    expect(cli("DEL", "city", "nothing")).toBe("1\n");
    expect(cli("DBSIZE")).toBe("4\n");
  });

  it("refuses in the words of the real server", () => {
    const { serve, cli } = redisMachine();
    serve("redis-server");
    cli("RPUSH", "queue", "a");
    expect(cli("--no-raw", "GET", "queue")).toBe("(error) WRONGTYPE Operation against a key holding the wrong kind of value\n");
    expect(cli("--no-raw", "GET")).toBe("(error) ERR wrong number of arguments for 'get' command\n");
    expect(cli("NOPE", "a")).toBe("ERR unknown command 'NOPE', with args beginning with: 'a' \n\n");
    expect(cli("--no-raw", "ZADD", "s", "1", "a")).toBe("(error) ERR command 'zadd' is not available in this server\n");
  });

  it("lets keys expire", () => {
    const { serve, cli, simulation } = redisMachine();
    serve("redis-server");
    cli("SET", "session", "x", "EX", "10");
    expect(cli("TTL", "session")).toBe("10\n");
    simulation.advance(11_000);
    expect(cli("EXISTS", "session")).toBe("0\n");
  });

  it("writes a snapshot at SIGTERM and reads it at the next start", () => {
    const { serve, cli, simulation, log } = redisMachine();
    const first = serve("redis-server");
    cli("SET", "kept", "yes");
    cli("HSET", "user", "name", "Ana");
    first.signal("TERM");
    simulation.advance(500);
    expect(first.exit?.code).toBe(0);
    expect(log.text()).toContain("# Redis is now ready to exit, bye bye...");
    serve("redis-server");
    expect(log.text()).toContain("* Done loading RDB, keys loaded: 2, keys expired: 0.");
    expect(cli("GET", "kept")).toBe("yes\n");
  });

  it("with appendonly loses nothing to SIGKILL", () => {
    const { serve, cli, simulation } = redisMachine();
    const first = serve("redis-server", "--appendonly", "yes");
    cli("SET", "a", "1");
    cli("INCR", "a");
    cli("EXPIRE", "a", "100");
    first.signal("KILL");
    simulation.advance(10_000);
    serve("redis-server", "--appendonly", "yes");
    expect(cli("GET", "a")).toBe("2\n");
    expect(cli("TTL", "a")).toBe("90\n");
  });

  it("reads a configuration file, shows it and keeps to maxmemory", () => {
    const { serve, cli, files: disk } = redisMachine();
    disk.makeDirectories("/redis-master");
    disk.writeFile("/redis-master/redis.conf", "maxmemory 2mb\nmaxmemory-policy allkeys-lru\n");
    serve("redis-server", "/redis-master/redis.conf");
    expect(cli("--no-raw", "CONFIG", "GET", "maxmemory*")).toContain('1) "maxmemory"\n2) "2097152"\n');
    for (let index = 0; index < 20; index += 1) cli("SET", `k${index}`, "x".repeat(100_000));
    expect(cli("EXISTS", "k0", "k19")).toBe("1\n");
    cli("CONFIG", "SET", "maxmemory-policy", "noeviction");
    expect(cli("SET", "more", "x".repeat(100_000))).toMatch(/^OK\n$|^OOM/u);
    expect(cli("SET", "last", "x")).toBe("OOM command not allowed when used memory > 'maxmemory'.\n\n");
  });

  it("counts lookups of every read, and begins anew when told", () => {
    const { serve, cli } = redisMachine();
    serve("redis-server");
    cli("HSET", "user", "name", "Ana");
    cli("HGET", "user", "name");
    cli("MGET", "a", "b");
    cli("SET", "t", "x", "PX", "60000");
    const stats = (): readonly string[] => cli("INFO").match(/(?:keyspace_\w+|evicted_keys|db0):[\w=,]+/g) ?? [];
    expect(stats()).toEqual(["evicted_keys:0", "keyspace_hits:1", "keyspace_misses:2", "db0:keys=2,expires=1,avg_ttl=60000"]);
    cli("CONFIG", "RESETSTAT");
    expect(stats()).toEqual(["evicted_keys:0", "keyspace_hits:0", "keyspace_misses:0", "db0:keys=2,expires=1,avg_ttl=60000"]);
  });

  it("ends without a snapshot when told so", () => {
    const { serve, cli, simulation, log } = redisMachine();
    const first = serve("redis-server");
    cli("SET", "a", "1");
    expect(cli("SHUTDOWN", "LATER")).toBe("ERR syntax error\n\n");
    cli("SHUTDOWN", "NOSAVE");
    simulation.advance(500);
    expect(first.exit?.code).toBe(0);
    expect(log.text()).not.toContain("signal-handler");
    serve("redis-server");
    expect(cli("EXISTS", "a")).toBe("0\n");
  });

  it("does not bring evicted keys back from the append-only file", () => {
    const { serve, cli } = redisMachine();
    const options = ["redis-server", "--appendonly", "yes", "--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru"];
    const first = serve(...options);
    for (let index = 0; index < 20; index += 1) cli("SET", `k${index}`, "x".repeat(100_000));
    const left = cli("DBSIZE");
    expect(Number(left)).toBeLessThan(20);
    first.signal("KILL");
    serve(...options);
    expect(cli("DBSIZE")).toBe(left);
  });

  it("refuses options that exclude each other", () => {
    const { serve, cli } = redisMachine();
    serve("redis-server");
    expect(cli("SET", "a", "1", "NX", "XX")).toBe("ERR syntax error\n\n");
    expect(cli("SET", "a", "1", "EX", "5", "KEEPTTL")).toBe("ERR syntax error\n\n");
    expect(cli("FLUSHALL", "SLOWLY")).toBe("ERR syntax error\n\n");
  });

  it("ends at a wrong or unavailable directive", () => {
    const { serve, log } = redisMachine();
    const handle = serve("redis-server", "--replicaof", "leader 6379");
    expect(handle.exit?.code).toBe(1);
    expect(log.text()).toContain("*** FATAL CONFIG FILE ERROR (Redis 7.4.6) ***");
    expect(log.text()).toContain(">>> 'replicaof \"leader 6379\"'\n");
  });

  it("asks for its password", () => {
    const { serve, cli } = redisMachine();
    serve("redis-server", "--requirepass", "secret");
    expect(cli("--no-raw", "GET", "a")).toBe("(error) NOAUTH Authentication required.\n");
    expect(cli("--no-auth-warning", "-a", "secret", "PING")).toBe("PONG\n");
    expect(cli("HELLO")).toMatch(/^NOAUTH HELLO must be called/);
    expect(cli("HELLO", "2", "AUTH", "default", "wrong")).toMatch(/^WRONGPASS/);
    expect(cli("HELLO", "2", "AUTH", "default", "secret")).toMatch(/^server\nredis\nversion\n7\.4\.6\nproto\n2\n/);
  });
});

describe("redis-cli", () => {
  it("says that nobody listens", () => {
    const { cli, run } = redisMachine();
    expect(cli("PING")).toBe("Could not connect to Redis at 127.0.0.1:6379: Connection refused\n");
    expect(run("/usr/local/bin/redis-cli", { argv: ["redis-cli", "PING"] }).code).toBe(1);
  });
});
