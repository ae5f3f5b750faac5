import { expect, test } from 'vitest';
import * as drafts from './draft.ts';
import type { Draft } from './draft.ts';

const view = (draft: Draft) => drafts.viewOf(draft, 'issues');
/** The row as it is drawn: chips in brackets, the input between bars. */
const drawn = (draft: Draft): string => {
  const { left, right } = view(draft);
  const chips = (tokens: typeof left): string => tokens.map(({ text }) => `[${text}]`).join('');
  return `${chips(left)}|${draft.input}|${chips(right)}`;
};
const type = (draft: Draft, text: string): Draft =>
  [...text].reduce((now, character) => drafts.typed(now, now.input + character, 'issues'), draft);

test('a finished term becomes a chip, words stay until something follows', () => {
  const draft = type(drafts.draftOf(''), 'cannot read level:error OR release:1');
  expect(drawn(draft)).toBe('[cannot read][level:error]|OR release:1|');
  expect(view(draft).query).toBe('cannot read level:error OR release:1');
  expect(drawn(drafts.committed(draft))).toBe('[cannot read][level:error][OR][release:1]||');
  expect(drawn(type(drafts.draftOf(''), 'browser:"Mobile Saf'))).toBe('|browser:"Mobile Saf|');
  expect(drawn(type(drafts.draftOf(''), 'level:[error, fatal] '))).toBe('[level:[error, fatal]]||');
  expect(drawn(type(drafts.draftOf(''), 'level: '))).toBe('|level: |');
});

test('the input walks between the tokens and leaves what was written', () => {
  let draft = drafts.draftOf('a:1 OR (b:2 c:3)');
  draft = drafts.movedLeft(draft, 'issues');
  draft = drafts.movedLeft(draft, 'issues');
  expect(drawn(draft)).toBe('[a:1][OR][(][b:2]||[c:3][)]');
  draft = { ...draft, input: 'd:4' };
  expect(view(draft).query).toBe('a:1 OR (b:2 d:4 c:3)');
  draft = drafts.movedLeft(draft, 'issues');
  expect(drawn(draft)).toBe('[a:1][OR][(][b:2]||[d:4][c:3][)]');
  draft = drafts.movedRight(draft, 'issues');
  expect(drawn(draft)).toBe('[a:1][OR][(][b:2][d:4]||[c:3][)]');
  expect(drawn(drafts.movedTo(draft, 'start', 'issues'))).toBe('||[a:1][OR][(][b:2][d:4][c:3][)]');
  expect(drawn(drafts.movedTo(draft, 'end', 'issues'))).toBe('[a:1][OR][(][b:2][d:4][c:3][)]||');
  expect(drafts.movedLeft(drafts.draftOf(''), 'issues')).toEqual(drafts.draftOf(''));
});

test('a token is opened where it stands, and what was written takes its own place', () => {
  let draft: Draft = { before: 'a:1 b:2', input: 'word', after: 'c:3' };
  draft = drafts.opened(draft, { start: 4, end: 7 }, 'issues');
  expect(drawn(draft)).toBe('[a:1]|b:2|[word][c:3]');
  expect(view(draft).query).toBe('a:1 b:2 word c:3');
});

test('words on both sides of the input are one text, and drawn as two until it is left', () => {
  const draft = drafts.opened(drafts.draftOf('one level:error two'), { start: 4, end: 15 }, 'issues');
  const emptied = { ...draft, input: '' };
  expect(view(emptied).query).toBe('one two');
  expect(drawn(emptied)).toBe('[one]||[two]');
  expect(drawn(drafts.removed(emptied, { start: 0, end: 3 }, 'issues'))).toBe('[two]||');
  expect(drawn(drafts.removed(draft, { start: 4, end: 15 }, 'issues'))).toBe('[one two]||');
});

test('a completion takes the place of what was begun', () => {
  const draft: Draft = { before: 'a:1', input: 'some lev', after: 'b:2' };
  const { inputPlace, query } = view(draft);
  expect(query.slice(inputPlace.start, inputPlace.end)).toBe('some lev');
  const next = drafts.replaced(draft, { start: inputPlace.start + 5, end: inputPlace.end }, 'level:', 'issues');
  expect(next).toEqual({ before: 'a:1', input: 'some level:', after: 'b:2' });
  const begun = drafts.replaced(drafts.draftOf('a:1'), { start: 3, end: 3 }, 'level:', 'issues');
  expect(begun).toEqual({ before: 'a:1', input: 'level:', after: '' });
});

test('hostile texts are drawn, walked and removed like others', () => {
  for (const query of ['((((', '"'.repeat(99), '\uD800 \0 __proto__:x', 'a:[', '!', ' \t\n ', 'a '.repeat(2000)]) {
    const draft = drafts.draftOf(query);
    const left = drafts.movedLeft(draft, 'issues');
    expect(view(left).query.replaceAll(/\s/g, '')).toBe(query.replaceAll(/\s/g, ''));
    const [first] = view(draft).tokens;
    if (!first) continue;
    const rest = view(drafts.removed(draft, first, 'issues')).query.replaceAll(/\s/g, '');
    expect(rest.length).toBeLessThan(query.replaceAll(/\s/g, '').length);
  }
});
