import { expect, test } from 'vitest';
import { addressed, chosen, ofItsProject, travelling } from './travel.ts';

const filter = { project: 'web', range: '7d' };

test('what is chosen goes along; what a link says stays with its page', () => {
  expect(addressed(filter, {})).toMatchObject({ project: 'web', range: '7d', elsewhere: undefined });
  const shop = addressed(filter, { project: 'shop' });
  expect(shop).toMatchObject({ project: 'shop', range: '7d', elsewhere: 'project:web,range:7d' });
  expect(travelling(shop)).toEqual(filter);
  expect(addressed(shop, {})).toMatchObject({ ...filter, elsewhere: undefined });
  const all = addressed({}, { project: 'shop', range: '1h' });
  expect(all.elsewhere).toBe('none');
  expect(addressed(all, {})).toMatchObject({ project: undefined, range: undefined, elsewhere: undefined });
});

test('a change of the page itself keeps both', () => {
  const shop = addressed(filter, { project: 'shop' });
  expect(addressed(shop, { ...shop })).toEqual(shop);
  expect(addressed(filter, { ...filter })).toMatchObject({ ...filter, elsewhere: undefined });
});

test('a range and two instants are one', () => {
  const drawn = { start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' };
  const page = addressed(drawn, { range: '1h' });
  expect(page).toMatchObject({ range: '1h', start: undefined, end: undefined });
  expect(travelling(page)).toEqual(drawn);
});

test('whoever chooses, chooses what they touch, here and elsewhere', () => {
  const shop = addressed(filter, { project: 'shop' });
  const page = addressed(shop, chosen(shop, { environment: 'production' }));
  expect(page).toMatchObject({ project: 'shop', environment: 'production', range: '7d' });
  expect(travelling(page)).toEqual({ ...filter, environment: 'production' });
  expect(addressed(shop, chosen(shop, { project: 'web' }))).toMatchObject({ ...filter, elsewhere: undefined });
  expect(chosen({ ...filter, cursor: '1:2:0' }, { project: undefined })).toMatchObject({ cursor: undefined });
});

test('any text is kept whole, and what makes no sense is nothing', () => {
  const odd = { environment: 'a,b:c%&=ä' };
  expect(travelling(addressed(odd, { environment: 'x' }))).toEqual(odd);
  for (const elsewhere of ['none', '', 'project', 'range:often,', '__proto__:1', 'environment:%E0%A4%A'])
    expect(travelling({ project: 'web', elsewhere })).toEqual({});
});

test('a page about one thing asks of its project', () => {
  expect(ofItsProject({ project: 'web', of: 'shop' })).toMatchObject({ project: 'shop' });
  expect(ofItsProject({ project: 'web' })).toEqual({ project: 'web' });
});
