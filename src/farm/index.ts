/** What programs need of the farm; published as `heterskin/farm`. */
export { DEFAULT_REDIS, type FarmPlace, type FarmQueue, openQueue } from "./farm-queue.ts";
export { type FarmStatus, farmStatus } from "./farm-status.ts";
export { createFolderStore, type FarmStore } from "./farm-store.ts";
export { cancelFarm } from "./steer-farm.ts";
export { type SubmitOptions, type Submitted, submitFolder } from "./submit-folder.ts";
export { type StoredCharacter, type SubmitStoredOptions, submitStored } from "./submit-stored.ts";
export { summarizeFarm } from "./summarize-farm.ts";
export { type WorkOptions, workFarm } from "./work-farm.ts";
