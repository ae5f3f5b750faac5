/** A seeded source of randomness, so that every run of a benchmark sends the same bytes. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** `length` lower-case hex digits. */
  hex(length: number): string;
  /** 0 … count-1, where the k-th is about 1/k as frequent as the first. */
  zipf(count: number): number;
}

/** sfc32; seeds that differ give unrelated sequences. */
export function createRandom(seed: number): Random {
  let a = seed | 0;
  let b = 0x9e3779b9 ^ seed;
  let c = 0x243f6a88;
  let counter = 1;
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) bits();
  const next = (): number => bits() / 2 ** 32;
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    hex(length) {
      let digits = '';
      while (digits.length < length) digits += bits().toString(16).padStart(8, '0');
      return digits.slice(0, length);
    },
    zipf: (count) => Math.min(count - 1, Math.floor(Math.exp(next() * Math.log(count + 1))) - 1),
  };
}
