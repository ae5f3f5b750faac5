import { expect, test } from 'vitest';
import { categoryOf } from './ops.ts';

test.each([
  ['http.client', 'http'],
  ['db', 'db'],
  ['db.sql.query', 'db'],
  ['db.redis', 'cache'],
  ['dbx', 'function'],
  ['pageload', 'ui'],
  ['ui.interaction.click', 'ui'],
  ['resource.script', 'resource'],
  ['queue.process', 'queue'],
  ['gen_ai.chat', 'ai'],
  ['', 'function'],
  ['__proto__', 'function'],
])('%s is %s', (op, category) => {
  expect(categoryOf(op)).toBe(category);
});
