import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A separate Redis on a loopback port, with persistent data. */
export interface TestRedis {
  url: string;
  port: number;
  /** Kills it, like a failing machine. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  start(): Promise<void>;
  /** Stops it from answering, without closing its connections, until it is resumed. */
  hang(): void;
  wake(): void;
}

/** Whether redis-server is available; prints a message if not. */
export function hasRedis(): boolean {
  const isThere = spawnSync("redis-server", ["--version"]).status === 0;
  if (!isThere) {
    process.stderr.write(
      "Tests of the farm are skipped: there is no redis-server (apt-get install redis-server).\n",
    );
  }
  return isThere;
}

/** Starts a Redis that keeps its files in a folder. */
export async function startRedis(folder: string): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const keep = ["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""];
    const place = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder];
    child = spawn("redis-server", [...place, ...keep, "--daemonize", "no"], { stdio: "ignore" });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error("redis-server exited immediately.");
      await pause(20);
    }
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    hang: () => void child?.kill("SIGSTOP"),
    wake: () => void child?.kill("SIGCONT"),
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Whether a Redis answers, and has loaded its data. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.on("data", (said) => {
      socket.destroy();
      resolve(`${said}`.startsWith("+PONG"));
    });
    socket.on("error", () => resolve(false));
  });
}
