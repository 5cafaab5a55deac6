/** Counts what each client has under way. */
export interface JobQuota {
  isFull(client: string): boolean;
  enter(client: string): void;
  leave(client: string): void;
}

/** Makes a count that lets each client have so many jobs and uploads at once. */
export function createJobQuota(most: number): JobQuota {
  const open = new Map<string, number>();
  const add = (client: string, by: number) => {
    const left = (open.get(client) ?? 0) + by;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  };
  return {
    isFull: (client) => (open.get(client) ?? 0) >= most,
    enter: (client) => add(client, 1),
    leave: (client) => add(client, -1),
  };
}
