/**
 * The CLI `sentry`, from npm, with an address and a token: some of its commands, field by field (`sentry-command-rows.ts`).
 * All of them run in `sentry-commands.endurance.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientInstallation, type Facts, openClientInstallation } from './client-facts.ts';
import { few, sentryCommand, shownBy } from './sentry-command-rows.ts';

let installation: ClientInstallation;
beforeAll(async () => {
  installation = await openClientInstallation();
}, 180_000);
afterAll(() => installation?.[Symbol.asyncDispose]());

test.each(
  few.map(
    (row) =>
      [
        row[0]({} as Facts)
          .split(' ', 2)
          .join(' '),
        row,
      ] as const,
  ),
)('%s shows what was sent', async (_, [words, has]) => {
  const shown = await shownBy(installation, words(installation.facts).split(' '));
  expect(shown, JSON.stringify(shown).slice(0, 4000)).toMatchObject(has(installation.facts) as object);
});

test('what Culprit does not have is said in a sentence', async () => {
  const { code, output } = await sentryCommand(installation, ['replay', 'list', 'acme/web']);
  expect(code).not.toBe(0);
  expect(output).toContain('Culprit has no session replays.');
});

test('it looked up and called nothing but 127.0.0.1', async () => {
  expect(await installation.outside()).toBe('');
});
