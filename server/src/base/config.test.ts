import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CodedError } from './errors.ts';
import { readConfig, settings } from './config.ts';

test('.env.example has every setting with its default, and no other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/^# (CULPRIT_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(shown).toEqual(Object.values(settings).map(({ env, fallback }) => [env, fallback]));
});

const shared = {
  CULPRIT_STATE_URL: 'postgres://culprit@127.0.0.1/culprit',
  CULPRIT_EVENTS_URL: 'http://127.0.0.1:8123/culprit',
};

test('a node does all unless told', () => {
  expect(readConfig({}, {}).roles).toEqual(['intake', 'process', 'api', 'jobs']);
  expect(readConfig({ roles: 'jobs, api,process,intake' }, {}).roles).toHaveLength(4);
});

test('a part of the roles needs stores and a key that all nodes share', () => {
  const refusal = (environment: Record<string, string>): string => {
    try {
      readConfig({}, environment);
    } catch (error) {
      if (error instanceof CodedError) return error.message;
    }
    return '';
  };
  expect(refusal({ CULPRIT_ROLE: 'intake', ...shared })).toMatch(
    /role intake needs stores and a key .* Set CULPRIT_LOG_URL, CULPRIT_BLOBS_URL,? and CULPRIT_SECRET \(CULPRIT_KEY_FILE\)/,
  );
  expect(refusal({ CULPRIT_ROLE: 'intake,api', ...shared, CULPRIT_KEY_FILE: 'key' })).toMatch(
    /roles intake and api need.* Set CULPRIT_LOG_URL and CULPRIT_BLOBS_URL, /,
  );
  expect(refusal({ CULPRIT_ROLE: 'intake,everything' })).toMatch(/expected some of intake, process, api, jobs/);
  expect(refusal({ CULPRIT_ROLE: ',' })).toMatch(/expected some of intake/);
});
