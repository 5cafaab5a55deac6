import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFolder } from "../batch/lock.ts";
import { DEFAULT_FARM } from "../farm/queue.ts";
import { createFarmRunner } from "../farm/runner.ts";
import { InputError } from "../input-error.ts";
import { type Api, createApi } from "../serve/api/create-api.ts";
import { createLocalRunner } from "../serve/api/jobs.ts";
import { API_LIMITS, checkTokens } from "../serve/api/limits.ts";
import { type CommandArguments, type CommandOption, flag, integer, text } from "./command.ts";
import { JOBS_OPTION } from "./verb-options.ts";

const count = (value: string, defaultValue: number, help: string): CommandOption =>
  integer(value, [1, 1e6], help, defaultValue);

/** Command-line options of the service. */
export const API_COMMAND_OPTIONS: Record<string, CommandOption> = {
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

/** Starts the service with the options of the command line. */
export async function openApiService(args: CommandArguments): Promise<Api> {
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
