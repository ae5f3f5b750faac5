import { expect, test } from 'vitest';
import { hash } from '../issues/testing/stores.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { digest, minute, now, url, useShops } from './testing/shops.ts';

onEachDatabase('evidence without a cause', ({ migrated }) => {
  const start = useShops(migrated);

  test('only browsers: the last server event, and whether digests are tagged', async () => {
    const { server, browser, put, ask } = await start();
    const working = server({ digest: '', timestamp: now - 3 * 60 * minute });
    await put(working, browser({ digest, timestamp: now - minute, tags: { url, turbopack: 'true' } }));
    const answer = await ask(digest);
    expect(answer).toMatchObject({
      kind: 'browser_only',
      host: 'shop.example.com',
      evidence: {
        hostKnown: true,
        lastServerEvent: { eventId: working.event_id },
        serverErrors: [],
        digests: { seen: true },
        framework: { name: 'nextjs', sdk: 'sentry.javascript.nextjs', bundler: 'turbopack' },
      },
    });
    expect('issue' in answer && answer.issue).toBeTruthy();
  });

  test('nothing: errors of the last hour on this host, what was dropped, no digest ever', async () => {
    const { store, shop, server, put, ask } = await start();
    const near = server({ digest: '' });
    const far = server({ digest: '', group_hash: hash('far'), tags: { url: 'https://other.example.com/' } });
    await put(near, far);
    await store.events.insert(
      'outcomes',
      [
        {
          project_id: shop.id,
          minute: now - minute,
          category: 'error',
          outcome: 'rate_limited',
          reason: 'key',
          quantity: 212,
        },
        {
          project_id: shop.id,
          minute: now - minute,
          category: 'error',
          outcome: 'accepted',
          reason: '',
          quantity: 5,
        },
      ],
      `find:outcomes:${shop.id}`,
    );
    expect(await ask(`while loading shop.example.com Digest: 7`)).toMatchObject({
      kind: 'nothing',
      digest: '7',
      evidence: {
        host: 'shop.example.com',
        hostKnown: true,
        serverErrors: [{ event: { eventId: near.event_id } }],
        dropped: [{ outcome: 'rate_limited', reason: 'key', quantity: 212 }],
        digests: { seen: false },
        framework: { name: 'nextjs', bundler: 'webpack' },
      },
    });
    expect(await ask('while loading nobody.example.com Digest: 7')).toMatchObject({
      kind: 'nothing',
      evidence: { hostKnown: false, projects: [{ id: shop.id }] },
    });
  });

  test('an empty project has no evidence but its platform', async () => {
    const { ask } = await start();
    expect(await ask('Digest: 7')).toMatchObject({
      kind: 'nothing',
      evidence: {
        lastEvent: undefined,
        serverErrors: [],
        dropped: [],
        digests: { seen: false },
        framework: { name: 'nextjs', sdk: '' },
      },
    });
  });

  test('a screen without a digest, and an address, lead to what failed there lately', async () => {
    const { server, browser, put, ask } = await start();
    const client = browser({ error_value: 'x is undefined' });
    await put(client, server({ tags: { url: 'https://shop.example.com/cart' } }));
    const screen = await ask(
      'Application error: a client-side exception has occurred while loading shop.example.com (see the browser console for more information).',
    );
    expect(screen).toMatchObject({ kind: 'page', issues: [{ event: { eventId: client.event_id } }] });
    expect(await ask('https://shop.example.com/cart')).toMatchObject({
      kind: 'page',
      path: '/cart',
      issues: [{ event: { side: 'server' } }],
    });
  });
});
