/**
 * Client of the Fernhill REST API for TypeScript. It is meant to be run on
 * a server of your own: never ship a key to a web page.
 *
 * The client needs fetch and the module node:crypto and has no dependencies.
 * All times are Date objects in UTC. The defaults differ from those of the
 * Python SDK on purpose, see the note at the top of retry.ts.
 */

import { createHmac, timingSafeEqual } from "node:crypto";

import {
  Breaker,
  DEFAULT_RETRY,
  FernhillError,
  RetryOptions,
  freshKey,
  sleep,
  withRetry,
} from "./retry";

export const BASE_URL = "https://api.fernhill.example/v2";
export const USER_AGENT = "fernhill-ts/0.7";
export const REQUEST_TIMEOUT_MS = 9_000;
export const READING_PAGE = 250;
export const MAX_OPEN_REQUESTS = 5;
export const SPAN_DAYS = 28;
export const EXPORT_POLL_MS = 25_000;
export const EXPORT_GIVE_UP_MS = 90 * 60 * 1000;
export const HOOK_TOLERANCE_MS = 180_000;
export const HOOK_CLOCK_AHEAD_MS = 15_000;
export const DAY_MS = 86_400_000;

export type Step = "raw" | "1m" | "15m" | "1h" | "1d";

export interface Reading {
  device: string;
  at: string;
  values: Record<string, number | null>;
  qf: number[];
  seq: number;
  late?: boolean;
}

export interface Device {
  id: string;
  name: string;
  place: string | null;
  interval_s: number;
}

export interface ExportState {
  id: string;
  state: "queued" | "running" | "packing" | "ready" | "failed" | "cancelled" | "expired";
  progress: number;
  link: string | null;
  cause?: string;
}

export interface ClientOptions {
  baseUrl?: string;
  timeoutMs?: number;
  maxOpen?: number;
  retry?: Partial<RetryOptions>;
  /** Replaces the global fetch, for tests or for a proxy. */
  fetch?: typeof fetch;
}

/** An answer that is an error and that no new attempt would help. */
export class ApiError extends FernhillError {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    requestId: string | null,
  ) {
    super(message, requestId);
  }
}

/** The key is missing, wrong or disabled. */
export class KeyRefused extends ApiError {}

/** The export ended in a state other than ready. */
export class ExportEnded extends FernhillError {
  constructor(readonly state: ExportState) {
    super(`export ${state.id} ended as ${state.state}: ${state.cause ?? "no cause given"}`);
  }
}

/** The export was still not ready after EXPORT_GIVE_UP_MS. */
export class ExportSlow extends FernhillError {}

/** Lets only a few requests be open at once; the others wait in a queue. */
class Gate {
  private open = 0;
  private waiting: Array<() => void> = [];

  constructor(private readonly places: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.open >= this.places) {
      await new Promise<void>((go) => this.waiting.push(go));
    }
    this.open += 1;
    try {
      return await work();
    } finally {
      this.open -= 1;
      this.waiting.shift()?.();
    }
  }
}

export class FernhillClient {
  private readonly baseUrl: string;
  private readonly timeoutMs: number;
  private readonly gate: Gate;
  private readonly breaker = new Breaker();
  private readonly retry: RetryOptions;
  private readonly doFetch: typeof fetch;

  constructor(private readonly key: string, options: ClientOptions = {}) {
    if (key === "") {
      throw new FernhillError("no key given");
    }
    this.baseUrl = (options.baseUrl ?? BASE_URL).replace(/\/+$/, "");
    this.timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS;
    this.gate = new Gate(options.maxOpen ?? MAX_OPEN_REQUESTS);
    this.retry = { ...DEFAULT_RETRY, ...options.retry };
    this.doFetch = options.fetch ?? fetch;
  }

  /**
   * Sends one request and returns the parsed body, or undefined for 204.
   *
   * Each attempt has its own time limit; the pauses between attempts are not
   * part of it. A POST gets a fresh Idempotency-Key unless you pass one, so
   * that it can be repeated safely.
   */
  async request<T>(
    method: string,
    path: string,
    body?: unknown,
    extra: Record<string, string> = {},
  ): Promise<T> {
    const headers = new Headers({
      "X-Fernhill-Key": this.key,
      "User-Agent": USER_AGENT,
      ...extra,
    });
    if (method === "POST" && !headers.has("Idempotency-Key")) {
      headers.set("Idempotency-Key", freshKey());
    }
    if (body !== undefined) {
      headers.set("Content-Type", "application/json");
    }
    const send = () =>
      this.doFetch(this.baseUrl + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(this.timeoutMs),
      });
    const answer = await this.gate.run(() =>
      withRetry(method, headers, send, this.breaker, this.retry),
    );
    if (answer.status === 204) {
      return undefined as T;
    }
    const parsed = await answer.json();
    if (answer.ok) {
      return parsed as T;
    }
    const { code, message } = parsed.error;
    const requestId = answer.headers.get("X-Fernhill-Request-Id");
    const Kind = answer.status === 401 ? KeyRefused : ApiError;
    throw new Kind(answer.status, code, message, requestId);
  }

  /** Yields the entries of a list; only a missing next_cursor ends it. */
  async *pages<T>(path: string, field: string, query: URLSearchParams): AsyncGenerator<T> {
    for (;;) {
      const body = await this.request<Record<string, unknown>>("GET", `${path}?${query}`);
      yield* body[field] as T[];
      const next = body["next_cursor"];
      if (typeof next !== "string" || next === "") {
        return;
      }
      query.set("cursor", next);
    }
  }

  devices(): AsyncGenerator<Device> {
    return this.pages<Device>("/devices", "devices", new URLSearchParams());
  }

  /**
   * Yields readings of any length of time. The time is cut into spans of
   * SPAN_DAYS; the end of a span is one millisecond before the start of the
   * next, so no reading comes twice and no set of seen readings is needed.
   * The default step is 15m, while the Python client takes hourly means.
   */
  async *readings(id: string, from: Date, to: Date, step: Step = "15m"): AsyncGenerator<Reading> {
    for (let start = from.getTime(); start < to.getTime(); start += SPAN_DAYS * DAY_MS) {
      const stop = Math.min(start + SPAN_DAYS * DAY_MS, to.getTime()) - 1;
      const query = new URLSearchParams({
        from: new Date(start).toISOString(),
        to: new Date(stop).toISOString(),
        step,
        limit: String(READING_PAGE),
      });
      yield* this.pages<Reading>(`/devices/${id}/readings`, "readings", query);
    }
  }

  /**
   * Starts a bulk export, waits for it and returns its last state.
   *
   * The link in the state is null when the archive would be too large; fetch
   * the list of files in that case. Unlike the Python client, this one looks
   * at every final state and does not go on asking after a failure.
   */
  async exportAndWait(body: Record<string, unknown>): Promise<ExportState> {
    let state = await this.request<ExportState>("POST", "/exports", body);
    const end = Date.now() + EXPORT_GIVE_UP_MS;
    while (state.state !== "ready") {
      if (["failed", "cancelled", "expired"].includes(state.state)) {
        throw new ExportEnded(state);
      }
      if (Date.now() > end) {
        throw new ExportSlow(`export ${state.id} is not ready`);
      }
      await sleep(EXPORT_POLL_MS, this.retry.signal);
      state = await this.request<ExportState>("GET", `/exports/${state.id}`);
    }
    return state;
  }
}

/**
 * Checks the second form of a webhook signature and returns the event.
 *
 * Give it the raw bytes of the body. The tolerance is narrower than that of
 * the Python SDK. Doubles are not filtered: compare delivery_id yourself.
 * Throws FernhillError when anything is wrong; answer with 401 then.
 */
export function verifyWebhook(
  body: Buffer,
  headers: Record<string, string | string[] | undefined>,
  secrets: string[],
  now: number = Date.now(),
): Record<string, unknown> {
  const parts = String(headers["x-fernhill-signature-v2"] ?? "").split(",");
  const t = parts.find((part) => part.trim().startsWith("t="))?.trim().slice(2) ?? "";
  const sums = parts.map((part) => part.trim()).filter((part) => part.startsWith("s="));
  const signed = Buffer.concat([Buffer.from(`${t}.${headers["x-fernhill-delivery"]}.`), body]);
  const good = secrets.some((secret) => {
    const want = Buffer.from("s=" + createHmac("sha256", secret).update(signed).digest("hex"));
    return sums.some((sum) => {
      const have = Buffer.from(sum);
      return have.length === want.length && timingSafeEqual(have, want);
    });
  });
  const age = now - Number(t) * 1000;
  if (!good || age > HOOK_TOLERANCE_MS || age < -HOOK_CLOCK_AHEAD_MS) {
    throw new FernhillError("the webhook is not genuine or too old");
  }
  return JSON.parse(body.toString("utf-8"));
}
