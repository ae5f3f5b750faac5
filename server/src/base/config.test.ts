import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

test('.env.example has every setting with its default, and no other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/^# (CULPRIT_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(shown).toEqual(Object.values(settings).map(({ env, fallback }) => [env, fallback]));
});
