/** Schemas of what trackers answer: of foreign texts only so much is kept as can be stored. */
import { z } from 'zod';
import { stops } from '../../base/texts/imports.ts';
import { parseTime } from '../../process/steps/normalize/time.ts';

/** Cut where it is longer; without what no database stores. */
export const text = (most: number): z.ZodType<string> =>
  z.union([z.string(), z.number()]).transform((value) => String(value).replaceAll('\0', '').slice(0, most));

export const textOrNone = (most: number): z.ZodType<string> =>
  text(most)
    .nullish()
    .transform((value) => value ?? '');

/** ms since the epoch. */
export const time = z.union([z.string().max(64), z.number()]).transform((value, context) => {
  const ms = parseTime(value);
  if (ms !== undefined) return Math.round(ms);
  context.addIssue({ code: 'custom', message: stops.time });
  return z.NEVER;
});

export const timeOrNone = time.nullish().transform((value) => value ?? null);

export const count = z.union([z.number(), z.string().max(20)]).transform((value) => {
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
});

export const bag = z.record(z.string(), z.unknown());

/** Of its list, at most so many. */
export const many = <T>(one: z.ZodType<T>, most = 1_000): z.ZodType<T[]> => z.array(one).max(most);
