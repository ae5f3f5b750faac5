import { expect, test } from 'vitest';
import { isListed } from './listed.ts';

const projects = [
  { slug: 'web', isInternal: false },
  { slug: 'culprit', isInternal: true },
];

test.each([
  ['web', undefined, true],
  ['culprit', undefined, false],
  ['culprit', 'culprit', true],
  ['culprit', 'web', false],
  ['new', undefined, true],
])('events of %s in lists of %s: %s', (slug, chosen, listed) => {
  expect(isListed(slug, chosen, projects)).toBe(listed);
});
