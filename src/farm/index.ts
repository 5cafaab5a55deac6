// Submits characters to a farm and works for it; published as `heterskin/farm`.

export { DEFAULT_REDIS, type FarmAddress, type FarmQueue, openQueue } from "./queue.ts";
export { cancelFarm, type FarmStatus, farmStatus, summarizeFarm } from "./status.ts";
export { createFolderStore, type FarmStore } from "./store.ts";
export { type SubmitOptions, type Submitted, submitFolder } from "./submit-folder.ts";
export { type StoredCharacter, type SubmitStoredOptions, submitStored } from "./submit-stored.ts";
export { type WorkOptions, workFarm } from "./work-farm.ts";
