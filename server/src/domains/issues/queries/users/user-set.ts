/**
 * Different users, told apart as the engine's `uniq` tells them: so more of them can be counted in without asking it. Up
 * to `maxToldApart` it counts exactly; of more only the number is known.
 */
import { cityHash64 } from './city-hash.ts';

/** Hashes, four bytes each: sets of numbers would take ten times as much. */
export type UserSet = Uint32Array | 'too many';

const maxToldApart = 1_000;

/** Whose users are told apart: of issues that were seen since then, ms since the epoch; the others get no more events. */
export type SeenSince = number;

/** An issue that was not seen for longer rarely gets an event while somebody looks. */
const latelyMs = 600_000;
export const lately = (): SeenSince => Date.now() - latelyMs;

const notAsked = '-';

/** Of a state of `uniq`: how many, and the set as `readUsers` takes it. Reads the column `last_seen`, unless of all. */
export function toldApartSql(state: string, counted: string, set: string, since: SeenSince = 0): string {
  const own = `if(${counted} <= ${maxToldApart}, hex(${state}), '')`;
  const asked = since > 0 ? `if(toUnixTimestamp64Milli(max(last_seen)) >= ${since}, ${own}, '${notAsked}')` : own;
  return `finalizeAggregation(${state}) AS ${counted}, ${asked} AS ${set}`;
}

/** A state: how many times it was thinned out, the number, and four bytes each. '' for too many; undefined for none. */
export function readUsers(hex: string | undefined): UserSet | undefined {
  if (hex === undefined || hex === notAsked) return undefined;
  const state = Buffer.from(hex, 'hex');
  if (state[0] !== 0) return 'too many';
  let [size, at] = [0, 1];
  for (let shift = 0, more = true; more; shift += 7, at++) {
    const byte = state[at] ?? 0;
    size |= (byte & 0x7f) << shift;
    more = byte > 0x7f;
  }
  return Uint32Array.from({ length: size }, (_, index) => state.readUInt32LE(at + 4 * index));
}

/** `users` as the column has them. */
export function withUsers(known: UserSet, users: readonly string[]): UserSet {
  if (known === 'too many' || !users.length) return known;
  const all = new Set(known);
  for (const user of users) {
    const hash = cityHash64(user);
    if (hash === undefined) return 'too many';
    all.add(finished(hash));
  }
  if (all.size === known.length) return known;
  return all.size > maxToldApart ? 'too many' : Uint32Array.from(all);
}

/** Of 64 bits the 32 that the engine keeps. */
function finished(hash: bigint): number {
  let mixed = hash ^ (hash >> 33n);
  mixed = BigInt.asUintN(64, mixed * 0xff51afd7ed558ccdn);
  mixed ^= mixed >> 33n;
  mixed = BigInt.asUintN(64, mixed * 0xc4ceb9fe1a85ec53n);
  return Number(BigInt.asUintN(32, mixed ^ (mixed >> 33n)));
}
