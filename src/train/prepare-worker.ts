import { servePrepare } from "./prepare-job.ts";
import { serveJobs } from "./serve-jobs.ts";

serveJobs(servePrepare);
