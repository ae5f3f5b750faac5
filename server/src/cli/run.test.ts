/** What is said to bad input before a command does anything. */
import { expect, test } from 'vitest';
import { run } from './run.ts';

async function say(words: string) {
  let [stdout, stderr] = ['', ''];
  const code = await run(words.split(' '), {
    print: (text) => (stdout += `${text}\n`),
    complain: (text) => (stderr += `${text}\n`),
  });
  return { code, stdout, stderr };
}

const bad: readonly [words: string, code: number, says: RegExp][] = [
  ['nope', 2, /unknown command "nope"/],
  ['serve now', 2, /Unexpected argument "now"/],
  ['doctor --bogus', 2, /'--bogus'/],
  ['serve --port', 2, /argument missing/],
  ['serve --port abc', 1, /--port is "abc"; expected a whole number from 0 to 65535/],
  ['serve --port=', 1, /--port is ""/],
  ['serve --data-dir=', 1, /--data-dir is ""; expected a directory/],
  ['config --retention-days 1e3', 1, /--retention-days is "1e3"/],
  ['config --log-max-bytes 0', 1, /expected a size/],
  // Arguments are everybody's to see.
  ['config --secret 0123456789012345678901234567890123456789', 2, /Unknown option '--secret'/],
  ['config --log-level loud', 1, /one of fatal/],
  ['config --url ftp://x', 1, /expected an address such as/],
  ['config --trusted-proxies foo', 1, /--trusted-proxies is "foo"/],
  ['config --trusted-proxies 10.0.0.0/33', 1, /10\.0\.0\.0\/33/],
  ['config --state-url mysql://ada:geheim@db/x', 1, /"mysql:\/\/ada:\*\*\*@db\/x"; expected postgres/],
  ['init', 2, /--email is required/],
  ['init --email a@example.com --org A --project B', 2, /--password-stdin is required/],
  ['project delete web', 2, /Expected "list" or "create NAME"/],
  ['project list web', 2, /Expected "list" or "create NAME"/],
  ['project create', 2, /A name is required/],
  ['user list all', 2, /Unexpected argument "all"/],
  ['token create', 2, /--user is required/],
];

test.each(bad)('culprit %s: exit code %d and a sentence, on stderr', async (words, code, says) => {
  const text = await say(words);
  expect(text).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  expect(text.stderr).not.toContain('geheim');
  expect(text.stderr).not.toMatch(/^ +at /m);
});

test('with --json it is JSON', async () => {
  const { stderr } = await say('project delete --json');
  expect(JSON.parse(stderr)).toEqual({ code: 'USAGE', message: expect.stringContaining('create NAME') });
});
