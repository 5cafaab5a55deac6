import { connect, isIP } from "node:net";
import { connect as connectSafely } from "node:tls";
import { InputError } from "../input-error.ts";

/** Where a Redis is, and who asks. */
export interface RedisAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  tls?: object;
}

/** Milliseconds until somebody who does not answer is not there. */
const PATIENCE = 5000;

/**
 * Asks whether a Redis is there and lets us in: queues try again without end and without a word.
 *
 * @param name what to call it
 * @throws InputError where it is not, or does not
 */
export function expectRedis(address: RedisAddress, name: string): Promise<void> {
  const { host, port, username, password, tls } = address;
  const login = password === undefined ? [] : [["AUTH", ...(username ? [username] : []), password]];
  return new Promise((resolve, reject) => {
    const socket = tls
      ? connectSafely({ host, port, ...(!isIP(host) && { servername: host }) })
      : connect({ host, port });
    const end = (problem?: string) => {
      clearTimeout(patience);
      socket.destroy();
      if (problem === undefined) resolve();
      else reject(new InputError(`${name}: ${problem}`));
    };
    const patience = setTimeout(() => end(NOBODY), PATIENCE);
    let heard = "";
    socket.setEncoding("utf8").on("data", (text) => {
      heard += text;
      const said = heard.split("\r\n").slice(0, -1);
      const refusal = said.find((line) => !line.startsWith("+"));
      if (refusal !== undefined) end(problemOf(refusal));
      else if (said.length > login.length) end();
    });
    socket.on("error", () => end(NOBODY)).on("close", () => end(NOBODY));
    socket.write([...login, ["PING"]].map(command).join(""));
  });
}

const NOBODY = "no Redis answers there; start one, or name it with --redis.";

/** What keeps us out; nothing where it only has to finish something first. */
function problemOf(refusal: string): string | undefined {
  if (/^-(LOADING|BUSY)/.test(refusal)) return undefined;
  if (refusal.startsWith("-NOAUTH")) {
    return "that Redis wants a password; give it in the address, redis://:password@host:6379.";
  }
  if (/^-(WRONGPASS|ERR.*(AUTH|password))/i.test(refusal)) {
    return "that Redis does not take this user or password; look at the address of --redis.";
  }
  if (refusal.startsWith("-")) return `that Redis refuses (${refusal.slice(1)}).`;
  return "what answers there is no Redis; look at the address of --redis.";
}

/** A command as Redis reads it. */
function command(words: string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join("")}`;
}
