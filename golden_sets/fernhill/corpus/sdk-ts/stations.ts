/**
 * Stations for the TypeScript SDK: lists with a short memory, search around a
 * point, changes that survive collisions, and a watcher for fresh values.
 *
 * Compared with the Python module this one keeps a store, because web pages
 * ask for the same stations over and over. The store belongs to one object of
 * the class Stations; two objects know nothing of each other.
 */

import { ApiError, FernhillClient } from "./client";
import { FernhillError, sleep } from "./retry";

export const STATION_PAGE = 100;
export const NEAR_RADIUS_KM = 40;
export const NEAR_COUNT = 12;
export const LATEST_MAX_AGE_S = 3_600;
export const UPDATE_ATTEMPTS = 5;
export const UPDATE_PAUSE_MS = 400;
export const STORE_TTL_MS = 90_000;
export const STORE_SIZE = 200;
export const WATCH_EVERY_MS = 60_000;
export const WATCH_SHORTEST_MS = 20_000;
export const ATTACH_PARALLEL = 3;
export const EARTH_RADIUS_KM = 6_371;

export type Kind = "mast" | "well" | "stream" | "tank" | "room" | "field";

export interface Station {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly revision: number;
  readonly lat?: number;
  readonly lon?: number;
  readonly altitude_m?: number;
  readonly zone: string;
  readonly tags: readonly string[];
  readonly devices: readonly string[];
  /** Present only in answers to near(). */
  readonly distance_km?: number;
}

export interface Latest {
  device: string;
  at: string | null;
  values: Record<string, number | null>;
  qf: number[];
  stale?: boolean;
}

/** The fields that a change may set; tags replace the whole list. */
export type Change = Partial<Pick<Station, "name" | "lat" | "lon" | "altitude_m" | "zone">> & {
  tags?: string[];
};

/** Others were faster in every one of UPDATE_ATTEMPTS attempts. */
export class Collision extends FernhillError {}

/** Some devices of attachAll() could not be attached; `done` lists the rest. */
export class PartlyAttached extends FernhillError {
  constructor(readonly done: string[], readonly refused: Map<string, string>) {
    super(`${refused.size} of ${refused.size + done.length} devices were refused`);
  }
}

interface Stored {
  station: Station;
  until: number;
}

export class Stations {
  private readonly store = new Map<string, Stored>();

  constructor(private readonly client: FernhillClient) {}

  /**
   * Returns all stations of the account as an array, sorted by name.
   *
   * Everything is read before the function returns. An account cannot hold so
   * many stations that this would be a burden, and a web page wants to sort
   * and count them anyway.
   */
  async list(filter: { kind?: Kind; tags?: string[] } = {}): Promise<Station[]> {
    const query = new URLSearchParams({ limit: String(STATION_PAGE) });
    if (filter.kind) {
      query.set("kind", filter.kind);
    }
    for (const tag of filter.tags ?? []) {
      query.append("tag", tag.trim().toLowerCase());
    }
    const found: Station[] = [];
    for await (const station of this.client.pages<Station>("/stations", "stations", query)) {
      this.keep(station);
      found.push(station);
    }
    return found;
  }

  /**
   * Returns one station, from the store when it is younger than STORE_TTL_MS.
   *
   * Pass fresh when you are about to show the revision to somebody. Two calls
   * at the same moment send two requests; they are not merged.
   */
  async get(id: string, fresh = false): Promise<Station> {
    const stored = this.store.get(id);
    if (!fresh && stored && stored.until > Date.now()) {
      return stored.station;
    }
    return this.keep(await this.client.request<Station>("GET", `/stations/${id}`));
  }

  /**
   * Returns the stations around a point, the closest one first.
   *
   * The circle is never widened, unlike in Python: an empty answer is an
   * answer, and the page should offer a larger circle to the user. The field
   * distance_km comes from the service and is not calculated here.
   */
  async near(
    lat: number,
    lon: number,
    radiusKm: number = NEAR_RADIUS_KM,
    count: number = NEAR_COUNT,
  ): Promise<Station[]> {
    const query = new URLSearchParams({
      near: `${lat.toFixed(5)},${lon.toFixed(5)}`,
      radius_km: String(radiusKm),
      sort: "distance",
      limit: String(count),
    });
    const body = await this.client.request<{ stations: Station[] }>("GET", `/stations?${query}`);
    return body.stations.map((station) => this.keep(station));
  }

  /**
   * Applies a change, again with a fresh object if somebody was faster.
   *
   * Before each new attempt there is a pause of UPDATE_PAUSE_MS times the
   * number of the attempt; the Python module repeats without any pause. When
   * `change` returns null nothing is sent.
   */
  async update(id: string, change: (now: Station) => Change | null): Promise<Station> {
    let now = await this.get(id, true);
    for (let attempt = 1; attempt <= UPDATE_ATTEMPTS; attempt += 1) {
      const fields = change(now);
      if (fields === null) {
        return now;
      }
      try {
        const changed = await this.client.request<Station>("PATCH", `/stations/${id}`, fields, {
          "If-Match": String(now.revision),
        });
        return this.keep(changed);
      } catch (fault) {
        if (!(fault instanceof ApiError) || fault.code !== "revision_stale") {
          throw fault;
        }
      }
      await sleep(UPDATE_PAUSE_MS * attempt);
      now = await this.get(id, true);
    }
    throw new Collision(`station ${id} was changed by others`);
  }

  /**
   * Attaches several devices, ATTACH_PARALLEL at a time.
   *
   * A device that is attached elsewhere is moved only if `move` is set. The
   * function goes on after a refusal and throws PartlyAttached at the end, so
   * that one wrong id does not keep the other devices away from their place.
   */
  async attachAll(id: string, devices: string[], move = false): Promise<void> {
    const open = [...devices];
    const done: string[] = [];
    const refused = new Map<string, string>();
    const worker = async () => {
      for (let device = open.shift(); device !== undefined; device = open.shift()) {
        const query = move ? "?move=true" : "";
        try {
          await this.client.request("PUT", `/stations/${id}/devices/${device}${query}`);
          done.push(device);
        } catch (fault) {
          if (!(fault instanceof ApiError)) {
            throw fault;
          }
          refused.set(device, fault.code);
        }
      }
    };
    await Promise.all(Array.from({ length: ATTACH_PARALLEL }, worker));
    this.store.delete(id);
    if (refused.size > 0) {
      throw new PartlyAttached(done, refused);
    }
  }

  /** Newest value of each device; stale entries are dropped unless asked for. */
  async latest(id: string, maxAgeS = LATEST_MAX_AGE_S, keepStale = false): Promise<Latest[]> {
    const path = `/stations/${id}/latest?max_age_s=${maxAgeS}`;
    const body = await this.client.request<{ latest: Latest[] }>("GET", path);
    return keepStale ? body.latest : body.latest.filter((entry) => !entry.stale);
  }

  /**
   * Yields the newest values for ever, until the signal is given.
   *
   * A list is yielded only when at least one time has changed. Periods below
   * WATCH_SHORTEST_MS are lifted to it, as the service would answer from its
   * own store anyway. For many stations use MQTT instead of a watcher each.
   */
  async *watch(id: string, signal: AbortSignal, everyMs = WATCH_EVERY_MS): AsyncGenerator<Latest[]> {
    const period = Math.max(everyMs, WATCH_SHORTEST_MS);
    let before = "";
    while (!signal.aborted) {
      const entries = await this.latest(id);
      const times = entries.map((entry) => `${entry.device}@${entry.at}`).join();
      if (times !== before) {
        before = times;
        yield entries;
      }
      await sleep(period, signal);
    }
  }

  /** Puts a station into the store and throws the oldest one out if full. */
  private keep(station: Station): Station {
    this.store.delete(station.id);
    this.store.set(station.id, { station, until: Date.now() + STORE_TTL_MS });
    if (this.store.size > STORE_SIZE) {
      const oldest = this.store.keys().next().value;
      this.store.delete(oldest as string);
    }
    return station;
  }
}

/** Great-circle distance in km, or null when a position is missing. */
export function distanceKm(a: Station, b: Station): number | null {
  if (a.lat === undefined || a.lon === undefined || b.lat === undefined || b.lon === undefined) {
    return null;
  }
  const rad = Math.PI / 180;
  const x = Math.sin(((b.lat - a.lat) * rad) / 2) ** 2;
  const y = Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  const half = x + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * y;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(half));
}
