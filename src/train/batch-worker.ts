import { workerData } from "node:worker_threads";
import { type BatchSetup, batchBuffers, createBatchMaker } from "./batch-job.ts";
import { serveJobs } from "./serve-jobs.ts";

serveJobs(createBatchMaker(workerData as BatchSetup), batchBuffers);
