import { expect, test } from 'vitest';
import { defaultProjectSettings } from '../../types.ts';
import { rowScrubber } from './rows.ts';
import { scrubRules } from './rules.ts';

test('texts of a row are scrubbed as its columns say; names and values of its maps, too', () => {
  const scrub = rowScrubber({
    project_id: 'number',
    received_at: 'millis',
    body: 'text',
    note: 'text:message?',
    known: 'text:known',
    lines: 'texts:message',
    fields: 'text by name',
    numbers: 'number by name',
  });
  const secret = 'Bearer abcdef0123456789abcdef';
  const row = {
    project_id: 1,
    body: `x ${secret}`,
    note: 'from ann@example.com',
    known: secret,
    lines: ['mail ann@example.com', 'plain'],
    fields: { password: 'hunter22', colour: 'red' },
    numbers: { api_key: 5, length: 7 },
  };
  scrub(row, scrubRules(defaultProjectSettings));
  expect(row).toEqual({
    project_id: 1,
    body: 'x Bearer [Filtered]',
    note: 'from [email]',
    known: secret,
    lines: ['mail [email]', 'plain'],
    fields: { password: '[Filtered]', colour: 'red' },
    numbers: { length: 7 },
  });
});
