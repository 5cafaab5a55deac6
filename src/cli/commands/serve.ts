import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFolder } from "../../batch/lock.ts";
import { DEFAULT_FARM } from "../../farm/queue.ts";
import { createFarmRunner } from "../../farm/runner.ts";
import { InputError } from "../../input-error.ts";
import { type Api, createApi } from "../../serve/api/create-api.ts";
import { createLocalRunner } from "../../serve/api/jobs.ts";
import { API_LIMITS, checkTokens } from "../../serve/api/limits.ts";
import { createPageServer, pageFolders, type ServedFolder } from "../../serve/page-server.ts";
import {
  type Command,
  type CommandArguments,
  type CommandOption,
  flag,
  integer,
  text,
} from "../command.ts";
import { JOBS_OPTION } from "../verb-options.ts";

const count = (value: string, defaultValue: number, help: string): CommandOption =>
  integer(value, [1, 1e6], help, defaultValue);

/** Command-line options of the service. */
const API_COMMAND_OPTIONS: Record<string, CommandOption> = {
  api: flag("Serve the HTTP API, described by /api/openapi.json."),
  token: {
    ...text(
      "text",
      "Token that clients must send (repeatable); or set HETERSKIN_TOKEN, which is not visible in process lists.",
    ),
    many: true,
  },
  jobs: JOBS_OPTION,
  "max-upload": count("MB", API_LIMITS.upload / 2 ** 20, "Maximum size of an upload."),
  "upload-timeout": count("s", 60, "Abandon an upload after this many seconds."),
  rate: count("n", API_LIMITS.rate, "Requests per minute and client."),
  quota: count("n", API_LIMITS.quota, "Unfinished jobs per client."),
  keep: count("s", API_LIMITS.keep, "Delete results after this many seconds."),
  timeout: count("s", API_LIMITS.timeout, "Abandon a job after this many seconds."),
  folder: text(
    "dir",
    "Store jobs and results in this directory, so that they survive a restart (default: a temporary directory).",
  ),
  redis: text("url", "Run jobs on the workers of a farm, which must have access to --folder."),
  name: text("name", "Name of the farm.", DEFAULT_FARM),
};

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

/** Starts the service with the options of the command line. */
async function openApiService(args: CommandArguments): Promise<Api> {
  const [redis, folder] = [args.text("redis"), args.text("folder")];
  if (redis && !folder) {
    throw new InputError("--redis needs a --folder that the workers of the farm can access.");
  }
  const { token = [] } = args.settings<{ token?: string[] }>({ token: API_COMMAND_OPTIONS.token });
  const { HETERSKIN_TOKEN: secret } = process.env;
  const tokens = secret === undefined ? token : [...token, secret];
  checkTokens(tokens);
  if (folder) createFolder(folder);
  // The last step that can fail, because its connections keep the process alive.
  const runner = redis
    ? await createFarmRunner({ redis, name: args.requireText("name") })
    : createLocalRunner(args.requireNumber("jobs"));
  const root = folder ? path.resolve(folder) : await mkdtemp(path.join(tmpdir(), "heterskin-"));
  const [rate, quota, keep, timeout] = ["rate", "quota", "keep", "timeout"].map(args.requireNumber);
  const upload = args.requireNumber("max-upload") * 2 ** 20;
  const limits = { ...API_LIMITS, upload, rate, quota, keep, timeout };
  const api = createApi({ folder: root, runner, limits, tokens });
  const close = async () => {
    await api.close();
    if (!folder) await rm(root, { recursive: true, force: true });
  };
  return { ...api, close };
}
