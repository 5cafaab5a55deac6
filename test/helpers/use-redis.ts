import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { FarmAddress } from "../../src/farm/queue.ts";
import { startRedis, type TestRedis } from "./redis-server.ts";

/** A Redis for the tests of a block, and a separate farm in it for each test. */
export interface UsedRedis {
  server: TestRedis;
  /** Folder of the server's data. */
  folder: string;
  address: FarmAddress;
  /** The address as options of the command line. */
  flags: string[];
}

/** Starts a Redis before the tests of a block; its fields are available while a test runs. */
export function useRedis(): UsedRedis {
  const use = {} as UsedRedis;
  let farms = 0;
  beforeAll(async () => {
    use.folder = mkdtempSync(path.join(tmpdir(), "heterskin-redis-"));
    use.server = await startRedis(use.folder);
  });
  afterAll(async () => {
    await use.server.kill();
    rmSync(use.folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    const [redis, name] = [use.server.url, `farm${farms++}`];
    use.address = { redis, name };
    use.flags = ["--redis", redis, "--name", name];
  });
  return use;
}
