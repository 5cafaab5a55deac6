import { createBatchJob } from "./batch-job.ts";
import { serveProcess } from "./serve-process.ts";

serveProcess(createBatchJob);
