/** The shop's API and page: Express, with version 10 of the SDK. It asks for prices one by one, as careless code does. */
import { createRequire } from 'node:module';
import type Express from 'express';
import type Pg from 'pg';
import * as Sentry from 'sentry-node-10';
import { announce, onStop, setting } from './serve.ts';

Sentry.init({
  dsn: setting('DSN'),
  release: 'shop-api@10.0.0',
  environment: 'production',
  serverName: 'shop-api',
  tracesSampleRate: 1,
});

// What is instrumented is loaded after the SDK, and by `require`: the hook of `import` hears of what to look for in a thread
// of its own, which an import right after `init` may overtake.
const require = createRequire(import.meta.url);
const express = require('express') as typeof Express;
const pg = require('pg') as typeof Pg;

const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 1 });
const app = express();

interface Product {
  readonly id: number;
  readonly name: string;
}

app.get('/', (_request, response) => {
  response.send('<!doctype html><title>Shop</title><div id="root"></div><script src="/page.js"></script>');
});
app.get('/page.js', (_request, response) => {
  response.sendFile(setting('PAGE_SCRIPT'));
});

async function findOffers(category: string): Promise<unknown> {
  const products = await pool.query<Product>('SELECT id, name FROM products WHERE category = $1', [category]);
  const offers: (Product & { readonly price: number })[] = [];
  for (const product of products.rows) {
    const { rows } = await pool.query<{ amount: number }>(
      'SELECT amount, pg_sleep(0.01) FROM prices WHERE product_id = $1',
      [product.id],
    );
    offers.push({ ...product, price: rows[0]?.amount ?? 0 });
  }
  const stock = await fetch(`${setting('STOCK_URL')}/stock/${category}`);
  return { offers, stock: await stock.json() };
}

app.get('/api/offers/:category', (request, response, next) => {
  findOffers(request.params.category).then((found) => response.json(found), next);
});

const server = app.listen(0, '127.0.0.1', () => announce(server));
onStop(() => Sentry.close(5_000));
