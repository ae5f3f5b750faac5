import { expect, test } from 'vitest';
import { fromBundle } from './bundled-urls.ts';

test.each([
  ['/app/server/package.json', '../../package.json', '../package.json'],
  ['/app/console/dist/', '../../../console/dist/', '../../console/dist/'],
  ['/app/', '../../../../', '../../'],
  ['/app/server/dist/', '../../../dist/', './'],
])('%s, written %s, is %s', (target, written, expected) => {
  expect(fromBundle('/app/server/dist', target, written)).toBe(expected);
});
