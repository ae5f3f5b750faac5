/**
 * CityHash64 1.0.2, which the engine counts different texts by, for texts of 4 to 64 bytes of UTF-8. What is shorter or
 * longer is left to the engine.
 */

const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;
const k3 = 0xc949d7c7509e6557n;
const kMul = 0x9ddfea08eb382d69n;

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint): bigint => wrap((value >> by) | (value << (64n - by)));
const mixed = (value: bigint): bigint => value ^ (value >> 47n);

function ofPair(low: bigint, high: bigint): bigint {
  const a = mixed(wrap((low ^ high) * kMul));
  return wrap(mixed(wrap((high ^ a) * kMul)) * kMul);
}

/** Undefined for a text that is too short or too long. */
export function cityHash64(text: string): bigint | undefined {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  if (length < 4 || length > 64) return undefined;
  const at = (offset: number): bigint => bytes.readBigUInt64LE(offset);
  if (length <= 8) {
    const first = BigInt(bytes.readUInt32LE(0)) << 3n;
    return ofPair(BigInt(length) + first, BigInt(bytes.readUInt32LE(length - 4)));
  }
  if (length <= 16) {
    const [a, b] = [at(0), at(length - 8)];
    return ofPair(a, rotate(wrap(b + BigInt(length)), BigInt(length))) ^ b;
  }
  return length <= 32 ? ofMiddle(at, length) : ofLong(at, length);
}

type At = (offset: number) => bigint;

function ofMiddle(at: At, length: number): bigint {
  const a = wrap(at(0) * k1);
  const b = at(8);
  const c = wrap(at(length - 8) * k2);
  const d = wrap(at(length - 16) * k0);
  const low = rotate(wrap(a - b), 43n) + rotate(c, 30n) + d;
  return ofPair(wrap(low), wrap(a + rotate(b ^ k3, 20n) - c + BigInt(length)));
}

function ofLong(at: At, length: number): bigint {
  const v = ofHalf(wrap(at(0) + (BigInt(length) + at(length - 16)) * k0), at(24), at(8), at(16));
  const w = ofHalf(wrap(at(16) + at(length - 32)), at(length - 8), at(length - 24), at(length - 16));
  const r = mixed(wrap((v.first + w.second) * k2 + (w.first + v.second) * k0));
  return wrap(mixed(wrap(r * k0 + v.second)) * k2);
}

function ofHalf(start: bigint, z: bigint, second: bigint, third: bigint): { first: bigint; second: bigint } {
  const b = rotate(wrap(start + z), 52n);
  const a = wrap(start + second);
  const end = wrap(a + third);
  const c = rotate(start, 37n) + rotate(a, 7n);
  return { first: wrap(end + z), second: wrap(b + rotate(end, 31n) + c) };
}
