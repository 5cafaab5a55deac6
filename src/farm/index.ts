// Submits characters to a farm and works for it; published as `heterskin/farm`.

export { DEFAULT_REDIS, type FarmAddress, type FarmQueue, openQueue } from "./queue.ts";
export { cancelFarm, type FarmStatus, farmStatus, summarizeFarm } from "./status.ts";
export { createFolderStore, type FarmStore } from "./store.ts";
export {
  type StoredCharacter,
  type SubmitOptions,
  type SubmitStoredOptions,
  type Submitted,
  submitFolder,
  submitStored,
} from "./submit-folder.ts";
export { type WorkOptions, workFarm } from "./work-farm.ts";
