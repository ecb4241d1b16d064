/**
 * New attempts for the TypeScript SDK: which answers deserve one, how long to
 * wait before it, and when to stop hammering on a service that is down.
 *
 * The rules are not those of the Python SDK. A script in Python usually runs
 * at night and may be patient; this package is mostly used behind web pages,
 * where somebody is looking at a spinning wheel. So there are more attempts,
 * shorter pauses, a budget for the whole call, and a breaker that is shared
 * by all calls of one client.
 */

export const MAX_ATTEMPTS = 6;
export const FIRST_PAUSE_MS = 250;
export const PAUSE_FACTOR = 1.8;
export const LONGEST_PAUSE_MS = 12_000;
export const CALL_BUDGET_MS = 75_000;
export const LONGEST_RETRY_AFTER_MS = 45_000;
export const BREAKER_FAILURES = 10;
export const BREAKER_OPEN_MS = 20_000;
export const IDEMPOTENCY_PREFIX = "fts-";

/** Statuses after which the same request may succeed later. */
export const RETRY_STATUS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503]);

/** Methods that may be sent twice without any harm. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

export interface RetryOptions {
  /** Attempts in all, the first one included; 1 switches repeating off. */
  maxAttempts: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** Time for the whole call, with all attempts and all pauses. */
  callBudgetMs: number;
  /** Called before each pause, for logging; must not throw. */
  onPause?: (attempt: number, pauseMs: number, reason: string) => void;
  /** Ends the call early, for example when a page is closed. */
  signal?: AbortSignal;
}

export const DEFAULT_RETRY: RetryOptions = {
  maxAttempts: MAX_ATTEMPTS,
  firstPauseMs: FIRST_PAUSE_MS,
  longestPauseMs: LONGEST_PAUSE_MS,
  callBudgetMs: CALL_BUDGET_MS,
};

/** Base class of everything that this package throws. */
export class FernhillError extends Error {
  constructor(message: string, readonly requestId: string | null = null) {
    super(message);
    this.name = new.target.name;
  }
}

/** All attempts were used up; `last` is the status of the final answer. */
export class AttemptsUsedUp extends FernhillError {
  constructor(readonly attempts: number, readonly last: number, requestId: string | null) {
    super(`no success after ${attempts} attempts, last status ${last}`, requestId);
  }
}

/** The budget of the call does not allow another pause. */
export class BudgetSpent extends FernhillError {}

/**
 * The service asks for more patience than a person in front of a screen has.
 * The call fails at once, without waiting; show `retryAfterMs` to the user.
 */
export class WaitTooLong extends FernhillError {
  constructor(readonly retryAfterMs: number, requestId: string | null) {
    super(`the service asks to wait ${Math.round(retryAfterMs / 1000)} s`, requestId);
  }
}

/** The breaker is open: the request was not sent at all. */
export class BreakerOpen extends FernhillError {}

/**
 * Returns the pause before the next attempt, in milliseconds.
 *
 * Without word from the service the pause grows by PAUSE_FACTOR with each
 * attempt. The jitter is "equal": half of the pause is fixed, the other half
 * is random. The Python SDK adds a quarter on top instead, so its pauses can
 * exceed its cap, and ours cannot.
 */
export function pauseBefore(
  attempt: number,
  options: RetryOptions = DEFAULT_RETRY,
  random: () => number = Math.random,
): number {
  const grown = options.firstPauseMs * PAUSE_FACTOR ** (attempt - 1);
  const pause = Math.min(options.longestPauseMs, grown);
  return pause / 2 + (pause / 2) * random();
}

/** Reads Retry-After, which holds whole seconds; null if absent or broken. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get("Retry-After");
  if (text === null || !/^\d+$/.test(text)) {
    return null;
  }
  return Number(text) * 1000;
}

/**
 * True when a request may be repeated.
 *
 * A POST is repeated only with an Idempotency-Key, since a command that was
 * cut off may have been carried out already. A PATCH is never repeated: after
 * the first success the revision has changed, and the second attempt would
 * end with 412 although all is well.
 */
export function isRepeatable(method: string, headers: Headers): boolean {
  if (SAFE_METHODS.has(method)) {
    return true;
  }
  return method === "POST" && headers.has("Idempotency-Key");
}

/** Makes a fresh key for the header Idempotency-Key, 36 characters long. */
export function freshKey(bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(16))): string {
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return IDEMPOTENCY_PREFIX + hex;
}

/**
 * Stops sending for a while after many failures in a row.
 *
 * Closed: all requests pass. Open: none passes until BREAKER_OPEN_MS are over.
 * After that one single request is let through as a probe; its success closes
 * the breaker, its failure opens it again for the same time. Answers with 429
 * count neither as failure nor as success, because a busy service is alive.
 */
export class Breaker {
  private failures = 0;
  private openUntil = 0;
  private probing = false;

  constructor(
    private readonly limit: number = BREAKER_FAILURES,
    private readonly openMs: number = BREAKER_OPEN_MS,
    private readonly clock: () => number = Date.now,
  ) {}

  /** Throws BreakerOpen unless a request may be sent now. */
  enter(): void {
    if (this.openUntil === 0) {
      return;
    }
    if (this.clock() < this.openUntil || this.probing) {
      throw new BreakerOpen("too many failures in a row, not sent");
    }
    this.probing = true;
  }

  /** Takes note of an answer; null stands for a broken connection. */
  leave(status: number | null): void {
    this.probing = false;
    if (status === 429) {
      return;
    }
    if (status !== null && status < 500) {
      this.failures = 0;
      this.openUntil = 0;
      return;
    }
    this.failures += 1;
    if (this.failures >= this.limit) {
      this.openUntil = this.clock() + this.openMs;
    }
  }
}

/** Waits, but not longer than until the signal is given. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(new FernhillError("cancelled"));
      },
      { once: true },
    );
  });
}

/**
 * Sends a request again and again until it succeeds or patience ends.
 *
 * The function `send` makes one attempt. A broken connection is treated like
 * an answer with 502. Statuses outside of RETRY_STATUS are handed back to the
 * caller, good or bad. A 504 is not repeated, since the same question would
 * take too long again: ask for a shorter span.
 */
export async function withRetry(
  method: string,
  headers: Headers,
  send: () => Promise<Response>,
  breaker: Breaker,
  options: RetryOptions = DEFAULT_RETRY,
): Promise<Response> {
  const started = Date.now();
  const attempts = isRepeatable(method, headers) ? options.maxAttempts : 1;
  for (let attempt = 1; ; attempt += 1) {
    breaker.enter();
    let answer: Response | null = null;
    try {
      answer = await send();
    } catch (fault) {
      breaker.leave(null);
      if (attempt >= attempts) {
        throw fault;
      }
    }
    if (answer !== null) {
      breaker.leave(answer.status);
      if (!RETRY_STATUS.has(answer.status) || attempts === 1) {
        return answer;
      }
    }
    const status = answer?.status ?? 502;
    const requestId = answer?.headers.get("X-Fernhill-Request-Id") ?? null;
    if (attempt >= attempts) {
      throw new AttemptsUsedUp(attempt, status, requestId);
    }
    const told = answer === null ? null : readRetryAfter(answer.headers);
    if (told !== null && told > LONGEST_RETRY_AFTER_MS) {
      throw new WaitTooLong(told, requestId);
    }
    const pause = told ?? pauseBefore(attempt, options);
    if (Date.now() - started + pause > options.callBudgetMs) {
      throw new BudgetSpent("the budget of the call is spent", requestId);
    }
    options.onPause?.(attempt, pause, `status ${status}`);
    await sleep(pause, options.signal);
  }
}
