import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { InputError } from "../../input-error.ts";
import type { Command } from "../command.ts";
import { packageRoot } from "../package-root.ts";
import { createPageServer, type ServedFolder } from "../page-server.ts";

/** `heterskin serve`: the web page, on this machine. */
export const serve: Command = {
  name: "serve",
  summary: "Serve the web page: bind, look, pose, paint and save in a browser.",
  usage: "serve [--port n] [--host address]",
  positionals: [0, 0],
  options: {
    port: {
      type: "number",
      value: "n",
      default: 8760,
      least: 0,
      most: 65535,
      whole: true,
      help: "Port; 0 takes a free one.",
    },
    host: {
      type: "text",
      value: "address",
      default: "127.0.0.1",
      help: "Address to listen on; the default is reached from this machine only.",
    },
  },
  examples: [["heterskin serve", "Then open http://127.0.0.1:8760/ in a browser."]],
  async run(args, { output, signal }) {
    const [port, host] = [args.number("port")!, args.text("host")!];
    const server = createPageServer(pageFolders());
    await new Promise<void>((resolve, reject) => {
      server.on("error", (error: NodeJS.ErrnoException) => reject(explain(error, port, host)));
      server.listen(port, host, () => {
        const { port: taken } = server.address() as AddressInfo;
        output(`http://${host.includes(":") ? `[${host}]` : host}:${taken}/`);
      });
      signal.addEventListener("abort", () => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    });
  },
};

/** The built page, and beside it ONNX Runtime and the models from where the package has them. */
export function pageFolders(): ServedFolder[] {
  const root = packageRoot();
  const page = path.join(root, "app/dist");
  if (!existsSync(path.join(page, "index.html"))) {
    throw new InputError("The page is not built yet; run npm run app:build first.");
  }
  return [
    { prefix: "/ort/", folder: path.join(root, "runtime") },
    { prefix: "/models/", folder: path.join(root, "models") },
    { prefix: "/", folder: page },
  ];
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError(`Port ${port} is taken; choose another with --port.`);
  }
  if (error.code === "EACCES") {
    return new InputError(`Port ${port} may not be used; choose one above 1023 with --port.`);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new InputError(`${host} is no address of this machine; leave --host away.`);
  }
  return error;
}
