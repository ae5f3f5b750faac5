import { expect, test } from 'vitest';
import { sectionOf, withSection } from './changelog.ts';

const fix = `---
'@culprit/tunnel': patch
'culprit': patch
---

Fixed: a tunnel of Fastify answers
what it was asked.

Upgrade notes: restart it.
`;
const long = `---
'culprit': minor
---

${'words that go on '.repeat(12)}
`;

test('a section has what changesets say by heading, in lines that fit a screen', () => {
  const section = sectionOf('0.3.0', '2027-01-02', [long, fix]);
  expect(section).toMatchInlineSnapshot(`
    "## 0.3.0 (2027-01-02)

    ### Fixed

    - a tunnel of Fastify answers what it was asked.

    ### Changed

    - words that go on words that go on words that go on words that go on words that go on words that go on words that go
      on words that go on words that go on words that go on words that go on words that go on

    ### Upgrade notes

    - restart it.
    "
  `);
  expect(section.split('\n').filter((line) => line.length > 118)).toEqual([]);
});

test('the newest section stands first', () => {
  const changelog = '# Changelog\n\n## 0.2.0 (2026-11-23)\n\nText.\n';
  expect(withSection(changelog, sectionOf('0.2.1', '2026-12-01', [fix]))).toBe(
    '# Changelog\n\n## 0.2.1 (2026-12-01)\n\n### Fixed\n\n- a tunnel of Fastify answers what it was asked.\n\n' +
      '### Upgrade notes\n\n- restart it.\n\n## 0.2.0 (2026-11-23)\n\nText.\n',
  );
  expect(withSection('# Changelog\n', '## 0.1.0 (2026-11-22)\n')).toBe('# Changelog\n\n## 0.1.0 (2026-11-22)\n');
});
