// Run by a test: prints the id of the process it has started, and lets it compute forever.

import { createWorkerHost } from "../../src/processes/worker-host.ts";
import type { GuardedJob } from "./guarded-worker.ts";

const { run } = createWorkerHost<GuardedJob, string>({
  kind: "process",
  module: "./guarded-worker",
  name: "createGuarded",
  from: import.meta.url,
  settings: { greeting: "hello" },
});
process.stdout.write(await run("answer"));
await run("hang");
