import { expect, test } from 'vitest';
import type { NotificationSettings } from './queries.ts';
import { fieldsOf, settingsOf } from './settings-fields.ts';

const settings: NotificationSettings = {
  state: 'mine',
  comment: 'none',
  assigned: 'mine',
  mentioned: 'none',
  report: true,
  timeZone: 'Europe/Berlin',
  quietHours: null,
  projects: { '2': 'all' },
};

test('settings become fields and settings again', () => {
  const fields = fieldsOf(settings, [{ id: '1' }, { id: '2' }]);
  expect(fields).toMatchObject({ assigned: true, mentioned: false, projects: { '1': '', '2': 'all' } });
  expect(settingsOf(fields)).toEqual(settings);
});

test('a project that follows the rest has no setting of its own', () => {
  const fields = fieldsOf(settings, []);
  expect(settingsOf({ ...fields, projects: { '2': '' } }).projects).toEqual({});
});
