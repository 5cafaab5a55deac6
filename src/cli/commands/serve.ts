import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { InputError } from "../../input-error.ts";
import { createPageServer, pageFolders, type ServedFolder } from "../../serve/page-server.ts";
import { API_COMMAND_OPTIONS, openApiService } from "../api-service.ts";
import { type Command, flag, integer, text } from "../command.ts";

/** `heterskin serve`: serves the web page and the HTTP API. */
export const serve: Command = {
  name: "serve",
  summary: "Serve the web page (bind, pose, paint and save in a browser) and the HTTP API.",
  usage: "serve [--open] [--port n] [--host address] [--api]",
  positionals: [0, 0],
  options: {
    port: integer("n", [0, 65535], "Port; 0 picks a free one.", 8760),
    host: text(
      "address",
      "Address to listen on; the default accepts local connections only.",
      "127.0.0.1",
    ),
    open: flag("Open the page in a browser."),
    ...API_COMMAND_OPTIONS,
  },
  examples: [
    ["heterskin serve --open", "Opens http://127.0.0.1:8760/ in a browser."],
    ["heterskin serve --api --jobs 4", "Also serves the HTTP API."],
  ],
  async run(args, { output, result, signal }) {
    const [port, host] = [args.requireNumber("port"), args.requireText("host")];
    const folders = args.flag("api") ? foldersIfBuilt() : pageFolders();
    const api = args.flag("api") ? await openApiService(args) : undefined;
    const server = createPageServer(folders, {
      api,
      requestTimeout: 1000 * args.requireNumber("upload-timeout"),
    });
    await new Promise<void>((resolve, reject) => {
      // Stopped during startup.
      if (signal.aborted) return resolve();
      server.on("error", (error: NodeJS.ErrnoException) => reject(explain(error, port, host)));
      server.listen(port, host, () => {
        const { port: taken } = server.address() as AddressInfo;
        const url = `http://${host.includes(":") ? `[${host}]` : host}:${taken}/`;
        if (args.flag("json")) result({ url });
        else output(url);
        if (args.flag("open")) openInBrowser(url);
      });
      signal.addEventListener("abort", () => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    }).finally(() => api?.close());
  },
};

/** Opens an address with the program of the desktop; without one, the printed address has to do. */
function openInBrowser(url: string): void {
  const [command, ...argv] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  const child = spawn(command, [...argv, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

/** The API also works if the page is not built. */
function foldersIfBuilt(): ServedFolder[] {
  try {
    return pageFolders();
  } catch {
    return [];
  }
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError(`Port ${port} is in use; choose another with --port.`);
  }
  if (error.code === "EACCES") {
    return new InputError(`Port ${port} is reserved; choose one above 1023 with --port.`);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new InputError(`${host} is not an address of this machine; omit --host.`);
  }
  return error;
}
