import { expect, test } from 'vitest';
import { bundlers, tokenLine, uploadSnippet, usualBundler } from './upload-snippets.ts';

const target = { url: 'https://errors.example.com', org: 'acme', project: 'web' };

test('every bundler is told where to and for what, takes the token from the environment, and installs first', () => {
  for (const { id } of bundlers) {
    const { install, code } = uploadSnippet(id, target);
    expect(install, id).toMatch(/^npm install (?:--save-dev )?@sentry\//);
    for (const part of Object.values(target)) expect(code, id).toContain(part);
    if (id === 'cli') continue;
    expect(code, id).toContain('authToken: process.env.SENTRY_AUTH_TOKEN');
    expect(code, id).toContain('telemetry: false');
    expect(code, id).toContain(install.split(' ').at(-1));
  }
  expect(tokenLine('sntrys_abc')).toBe('export SENTRY_AUTH_TOKEN=sntrys_abc');
});

test('the bundler of the framework comes first', () => {
  expect(['javascript-nextjs', 'javascript-react', 'javascript', 'node-express', 'other'].map(usualBundler)).toEqual([
    'next',
    'vite',
    'vite',
    'cli',
    'cli',
  ]);
});
