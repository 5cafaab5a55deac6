import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DEFAULT_FARM } from "../farm/queue.ts";
import { createFarmRunner } from "../farm/runner.ts";
import { InputError } from "../input-error.ts";
import { type Api, createApi } from "../serve/api/create-api.ts";
import { createLocalRunner } from "../serve/api/job-runner.ts";
import { API_LIMITS } from "../serve/api/limits.ts";
import { JOBS_OPTION } from "./bind-options.ts";
import { type CommandArguments, type CommandOption, flag, text, whole } from "./command.ts";

const count = (value: string, usual: number, help: string): CommandOption =>
  whole(value, [1, 1e6], help, usual);

/** Options of the service. */
export const API_COMMAND_OPTIONS: Record<string, CommandOption> = {
  api: flag("Bind files that programs send; /api/openapi.json says how."),
  token: {
    ...text(
      "text",
      "Who may use the API; may be given several times. Also HETERSKIN_TOKEN, which no list of processes shows.",
    ),
    many: true,
  },
  jobs: { ...JOBS_OPTION, help: "Files bound side by side, where memory allows." },
  "max-upload": count("MB", API_LIMITS.upload / 2 ** 20, "Refuse larger files."),
  "upload-timeout": count("s", 60, "Give an upload up that takes longer."),
  rate: count("n", API_LIMITS.rate, "Requests a minute, for each client."),
  quota: count("n", API_LIMITS.quota, "Jobs under way at once, for each client."),
  keep: count("s", API_LIMITS.keep, "Throw results away after these seconds."),
  timeout: count("s", API_LIMITS.timeout, "Give a file up after these seconds."),
  folder: text(
    "dir",
    "Keep jobs and results here, for one service; a restart goes on with them. Gone at the end unless told.",
  ),
  redis: text("url", "Let the workers of a farm do the work; they must see --folder."),
  name: text("name", "Which farm.", DEFAULT_FARM),
};

/** Starts the service as it was asked for. */
export async function openApiService(args: CommandArguments): Promise<Api> {
  const [redis, folder] = [args.text("redis"), args.text("folder")];
  if (redis && !folder) {
    throw new InputError("A service with --redis needs a --folder that the farm's workers see.");
  }
  if (folder) {
    await mkdir(folder, { recursive: true }).catch((error) => {
      throw new InputError(`${folder}: this folder cannot be made (${error.code}).`);
    });
  }
  // Last of what can fail: its connections would keep the program alive.
  const runner = redis
    ? await createFarmRunner({ redis, name: args.needText("name") })
    : createLocalRunner(args.needNumber("jobs"));
  const place = folder ? path.resolve(folder) : await mkdtemp(path.join(tmpdir(), "heterskin-"));
  const [rate, quota, keep, timeout] = ["rate", "quota", "keep", "timeout"].map(args.needNumber);
  const upload = args.needNumber("max-upload") * 2 ** 20;
  const limits = { ...API_LIMITS, upload, rate, quota, keep, timeout };
  const api = createApi({ folder: place, runner, limits, tokens: tokensOf(args) });
  const close = async () => {
    await api.close();
    if (!folder) await rm(place, { recursive: true, force: true });
  };
  return { ...api, close };
}

function tokensOf(args: CommandArguments): string[] {
  const { token = [] } = args.settings<{ token?: string[] }>({ token: API_COMMAND_OPTIONS.token });
  const quiet = process.env.HETERSKIN_TOKEN;
  return [...token, ...(quiet ? [quiet] : [])];
}
