import { createEvaluationJob } from "./evaluation-job.ts";
import { serveProcess } from "./serve-process.ts";

serveProcess(createEvaluationJob);
