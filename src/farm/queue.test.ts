import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { expectRedis } from "./queue.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Result of the check with a server that answers like this, and the data that the server received. */
async function ask(
  answer: (heard: string) => string | undefined,
  login: { username?: string; password?: string } = {},
): Promise<string> {
  server = createServer((socket) => {
    socket.on("data", (data) => {
      const said = answer(data.toString());
      if (said === undefined) socket.destroy();
      else socket.write(said);
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return expectRedis({ host: "127.0.0.1", port, ...login }, "here").then(
    () => "fine",
    (error: Error) => error.message,
  );
}

test("a Redis that answers is accepted, even while it loads", async () => {
  expect(await ask(() => "+PONG\r\n")).toBe("fine");
  expect(await ask(() => "-LOADING Redis is loading the dataset in memory\r\n")).toBe("fine");
});

test("user and password are sent, and the answer is awaited", async () => {
  let heard = "";
  const login = { username: "artist", password: "pä:ss" };
  const listen = (words: string) => {
    heard += words;
    return "+OK\r\n+PONG\r\n";
  };
  expect(await ask(listen, login)).toBe("fine");
  expect(heard).toBe("*3\r\n$4\r\nauth\r\n$6\r\nartist\r\n$6\r\npä:ss\r\n*1\r\n$4\r\nping\r\n");
});

test.each([
  ["-NOAUTH Authentication required.", /^here: this Redis needs a password; /],
  ["-WRONGPASS invalid username-password pair", /^here: this Redis rejects the user/],
  ["-DENIED protected mode", /^here: this Redis refuses: DENIED protected mode\./],
  ["HTTP/1.1 400 Bad Request", /^here: the server there is not a Redis/],
])("%s", async (answer, sentence) => {
  expect(await ask(() => `${answer}\r\n`)).toMatch(sentence);
});

test("a server that closes the connection is refused", async () => {
  expect(await ask(() => undefined)).toMatch(/^here: no Redis answers there/);
});
