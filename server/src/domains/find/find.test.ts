import { expect, test } from 'vitest';
import { countStatements } from '../../ports/events/testing/statements.ts';
import { hash } from '../issues/testing/stores.ts';
import { noteFirstSpans } from '../projects/index.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { digest, now, useShops } from './testing/shops.ts';

onEachDatabase('find', ({ migrated }) => {
  const start = useShops(migrated);

  test('issues by short id, number and address; words and releases go to the search', async () => {
    const { state, server, put, ask } = await start();
    await put(server({ digest: '' }));
    const { id } = await state.db.selectFrom('issue').select('id').executeTakeFirstOrThrow();
    for (const text of ['SHOP-1', 'shop-1', `#${id}`, String(id), 'https://culprit.test/issues/SHOP-1']) {
      expect(await ask(text)).toMatchObject({ kind: 'issue', issue: { id } });
    }
    expect((await ask(String(id))).understood).toMatchObject([{ kind: 'issue' }]);
    expect(await ask('SHOP-99')).toMatchObject({ kind: 'nothing', digest: undefined });
    expect(await ask('cannot read "price"')).toMatchObject({ kind: 'search', search: '"cannot read  price"' });
    expect(await ask('4f2c19aa')).toMatchObject({ kind: 'search', search: 'release:*4f2c19aa*' });
    expect(await ask('shop@1.4.2')).toMatchObject({ kind: 'search', search: 'release:"shop@1.4.2"' });
    expect(await ask(' ')).toMatchObject({ kind: 'empty' });
  });

  test('few statements', async () => {
    const { state, store, shop, server, browser, put, putSpans, ask, cause } = await start();
    const failed = server();
    await put(failed, browser({ trace_id: failed.trace_id }));
    const asked = (text: string) => countStatements(store.events, () => ask(text));
    expect(await asked(`Digest: ${digest}`)).toMatchObject({ total: 3 });
    // That the project has no spans is remembered until it gets some.
    expect(await asked(failed.event_id)).toMatchObject({ total: 4 });
    expect(await asked(failed.trace_id)).toMatchObject({ total: 3 });
    expect(await asked(hash('nothing'))).toMatchObject({ total: 4 });
    // The newest events are remembered.
    expect(await asked('Digest: 7')).toEqual({ total: 1, inARow: 1 });
    expect(await asked('SHOP-1')).toMatchObject({ total: 0 });
    await putSpans({ trace_id: failed.trace_id });
    await noteFirstSpans(state, [shop.id], now);
    expect((await cause(failed.event_id)).causes).toMatchObject([{ trace: { id: failed.trace_id, spans: 1 } }]);
    expect(await asked(failed.event_id)).toMatchObject({ total: 5 });
  });

  test('nothing of another organisation is found by any means', async () => {
    const { other, server, browser, put, ask } = await start();
    const theirs = server({ project_id: other.id });
    await put(theirs, browser({ project_id: other.id, trace_id: theirs.trace_id }));
    const mine = browser({ trace_id: theirs.trace_id, digest: '4242' });
    await put(mine);
    for (const text of [digest, theirs.event_id, 'while loading shop.example.com']) {
      const answer = await ask(text);
      expect(answer.kind).not.toBe('cause');
      expect(JSON.stringify({ ...answer, understood: [] })).not.toContain(theirs.event_id);
    }
    expect(await ask('4242')).toMatchObject({ kind: 'browser_only', shown: [{ eventId: mine.event_id }] });
    expect(await ask(digest, { projects: [] })).toMatchObject({ kind: 'nothing' });
  });
});
