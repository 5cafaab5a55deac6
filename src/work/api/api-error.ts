/** A request that is refused, with the status that says so and one sentence. */
export class ApiError extends Error {
  status: number;
  /** Seconds after which it may be tried again. */
  retryAfter?: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
