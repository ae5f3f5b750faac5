import { expect, test } from 'vitest';
import { quantityOf } from './quantities.ts';

const textOf = (...of: Parameters<typeof quantityOf>): string | undefined => quantityOf(...of)?.text;

test('sizes of contexts are bytes, with the exact value beside', () => {
  expect(quantityOf('app', 'app_memory', 104_935_424)).toEqual({ text: '104.9\u00a0MB', exact: '104,935,424 bytes' });
  expect(textOf('device', 'memory_size', 25_276_510_208)).toBe('25.3\u00a0GB');
  expect(textOf('device', 'free_storage', 0)).toBe('0\u00a0B');
  expect(textOf('memory_info', 'heap_size_bytes', 64_000)).toBe('64\u00a0kB');
  expect(quantityOf('response', 'body_size', 640)).toEqual({ text: '640\u00a0B', exact: undefined });
});

test('charge is a share, frequency has its unit, and what is none stays as it came', () => {
  expect(textOf('device', 'battery_level', 87.5)).toBe('87.5%');
  expect(textOf('device', 'processor_frequency', 2450)).toBe('2,450\u00a0MHz');
  expect(textOf('gpu', 'memory_size', 8192)).toBeUndefined();
  expect(textOf('device', 'processor_count', 8)).toBeUndefined();
  expect(textOf('device', 'memory_size', '8 GB')).toBeUndefined();
  expect(textOf('mine', 'battery_level', 3)).toBeUndefined();
  expect(textOf('app', 'app_memory', -1)).toBeUndefined();
});
