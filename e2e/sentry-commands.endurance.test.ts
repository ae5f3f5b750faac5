/** The CLI `sentry`, from npm: each of its commands, field by field (`sentry-command-rows.ts`), and those that have no answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientInstallation, type Facts, openClientInstallation } from './client-facts.ts';
import { absent, mostAbsent, rows, sentryCommand, shownBy } from './sentry-command-rows.ts';

let installation: ClientInstallation;
beforeAll(async () => {
  installation = await openClientInstallation();
}, 180_000);
afterAll(() => installation?.[Symbol.asyncDispose]());

describe('each command shows what was sent', () => {
  test.each(
    rows.map(
      (row, index) =>
        [
          `${index + 1} ${row[0]({} as Facts)
            .split(' ', 2)
            .join(' ')}`,
          row,
        ] as const,
    ),
  )('%s', async (_, [words, has]) => {
    const shown = await shownBy(installation, words(installation.facts).split(' '));
    const wanted = has(installation.facts);
    expect(shown, JSON.stringify(shown).slice(0, 4000)).toMatchObject(wanted as object);
  });
});

describe('what Culprit does not have is said in a sentence', () => {
  test.each(Object.entries(absent))('%s', async (words, says) => {
    const { code, output } = await sentryCommand(installation, words.split(' '));
    expect(code).not.toBe(0);
    expect(output).toContain(says);
  });

  test('and the list does not grow', () => {
    expect(Object.keys(absent).length).toBeLessThanOrEqual(mostAbsent);
  });
});

test('it looked up and called nothing but 127.0.0.1', async () => {
  expect(await installation.outside()).toBe('');
});
