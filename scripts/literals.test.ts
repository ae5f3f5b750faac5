import { expect, test } from 'vitest';
import { literalsOf } from './literals.ts';

const textsOf = (source: string): string[] => literalsOf('test.tsx', source).map(({ text }) => text);

test('texts between tags, in attributes that hold texts, in properties, in notices', () => {
  expect(
    textsOf(`
      const labels = { title: 'Teams', kind: 'team', hint: 'of all of them' };
      export const a = <p aria-label="Team" className="row wide">
        Members {open ? 'open' : \`\${count} closed\`}
        <Panel title="Teams" id="teams" />
      </p>;
      toast('Saved');
    `),
  ).toEqual(['Teams', 'of all of them', 'Team', 'Members', 'open', 'closed', 'Teams', 'Saved']);
});

test('not: code and examples of it', () => {
  expect(
    textsOf(`
      export const a = <p><code>npx culprit doctor</code><Code code="npm install culprit" /></p>;
      export const b = <input name="mode" placeholder="main" />;
      export const c = { rule: 'stack.function:a stack.module:b', says: m.rule };
      export const d = verbatim\`export SENTRY_URL=\${url} now\`;
    `),
  ).toEqual([]);
  expect(textsOf('export const a = <input placeholder="Acme" name="Some words" />')).toEqual(['Acme', 'Some words']);
});

test('not: what is imported, compared, thrown, selected, and names', () => {
  expect(
    textsOf(`
      import { a } from 'some module/here';
      type Kind = 'one of two' | 'b';
      if (kind === 'not read at all') throw new Error('the page has no root');
      document.querySelector('button, input');
      const at = { id: 'first', state: 'resolved' };
      export const b = <div className={styles.row} role="img">{m.title} · {count}</div>;
    `),
  ).toEqual([]);
});
