/** Numbers of cards, accounts and persons: those that check digits tell, and those that they tell from others. */
import { describe, expect, it, test } from 'vitest';
import { isIban, isLuhn } from './check-digits.ts';
import { countries, identityFinder } from './own/identity.ts';
import { scrubRules, type ScrubSettings } from './rules.ts';
import { scrubText } from './text.ts';

const settings: ScrubSettings = {
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
};
const scrub = (text: string): string => scrubText(text, 'message', scrubRules(settings));

describe('cards and accounts', () => {
  it.each([
    ['Mastercard of the second series', '2223003122003222'],
    ['JCB', '3530 1113 3330 0000'],
    ['UnionPay', '6240008631401148'],
    ['Diners Club', '3056 930902 5904'],
    ['Discover', '6445644564456445'],
    ['Maestro', '6759649826438453'],
  ])('%s', (_, number) => {
    expect(isLuhn(number)).toBe(true);
    expect(scrub(`paid with ${number} today`)).toBe('paid with [Filtered] today');
    const other = number.replace(/\d$/, (last) => String((Number(last) + 1) % 10));
    expect(scrub(`paid with ${other} today`)).toBe(`paid with ${other} today`);
  });

  it.each(['DE89 3704 0044 0532 0130 00', 'GB29 NWBK 6016 1331 9268 19', 'FR14 2004 1010 0505 0001 3M02 606'])(
    '%s',
    (number) => {
      expect(isIban(number)).toBe(true);
      expect(scrub(`to ${number}.`)).toBe('to [Filtered].');
      const other = number.replace(/^(..)\d/, '$10');
      expect(scrub(`to ${other}.`)).toBe(isIban(other) ? 'to [Filtered].' : `to ${other}.`);
    },
  );

  it.each([
    'snowflake 1541815603606036480',
    'at 1732645200000000000 ns',
    'order 20261126-12345678',
    'trace 62400086314011480000000000000000',
    '36525784109876 rows',
    'build 2223003122003229',
    'v2.2230031.22003222',
    'PR12 FOUR FIVE SIXX',
  ])('%s stays', (text) => {
    expect(scrub(text)).toBe(text);
  });
});

describe('numbers of persons', () => {
  const samples: Readonly<Record<string, readonly string[]>> = {
    au: ['123 456 782'],
    be: ['85.07.30-033.28', '85073003328'],
    br: ['529.982.247-25', '52998224725'],
    ca: ['130 692 544'],
    cn: ['11010519491231002X'],
    de: ['86 095 742 719', '86095742719'],
    es: ['12345678Z', 'X1234567L'],
    fi: ['131052-308T'],
    fr: ['1 84 12 76 451 089 46', '255081416802538'],
    gb: ['AB 12 34 56 C', 'AB123456C'],
    in: ['2341 2341 2346'],
    it: ['RSSMRA85T10A562S'],
    kr: ['880101-1234568'],
    nl: ['111222333'],
    pl: ['44051401359'],
    se: ['811218-9876', '198112189876'],
    us: ['078-05-1120'],
  };

  test('each country has a sample', () => expect(Object.keys(samples).sort()).toEqual([...countries].sort()));

  it.each(Object.entries(samples))('%s', (country, numbers) => {
    const find = identityFinder([country]);
    for (const number of numbers) {
      expect(find(`id ${number}, ok`).map(({ start, end }) => `id ${number}, ok`.slice(start, end))).toEqual([number]);
      // Within a longer one it is none.
      expect(find(`id 9${number}9`)).toEqual([]);
    }
  });

  it.each(countries.filter((country) => !['gb', 'us'].includes(country)))(
    '%s with another check digit is none',
    (country) => {
      for (const number of samples[country] ?? []) {
        const found = Array.from({ length: 10 }, (_, digit) =>
          number.replace(/(?:\d|X)(?=\D*$)/, String(digit)),
        ).filter((one) => identityFinder([country])(one).length > 0);
        expect(found.length).toBeLessThanOrEqual(2);
      }
    },
  );
});
