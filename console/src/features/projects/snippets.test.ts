import { expect, test } from 'vitest';
import { platforms } from './platforms.ts';
import { snippets } from './snippets.ts';

const dsn = 'http://0123456789abcdef0123456789abcdef@localhost:7420/1';

test('every framework installs, starts with the DSN, and throws a test error', () => {
  for (const { id } of platforms) {
    const steps = snippets(id, dsn);
    const text = steps.map((step) => step.code).join('\n');
    expect(text, id).toContain('Hello, Culprit');
    if (id === 'other') continue;
    expect(steps[0]?.code, id).toMatch(/^npm install @sentry\//);
    expect(text, id).toContain(dsn);
  }
});

test('without an SDK the key and the project are taken from the DSN', () => {
  expect(snippets('other', dsn)[0]?.code).toContain(
    'http://localhost:7420/api/1/store/?sentry_key=0123456789abcdef0123456789abcdef',
  );
  expect(snippets('other', 'broken')[0]?.code).toContain('/store/');
});
