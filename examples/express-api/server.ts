/** A small shop: an API, a page, and the tunnel for the browsers of both. */
import { tunnel } from '@culprit/tunnel/express';
import express from 'express';
import { fail } from './fail.ts';
import { orders, totalOf } from './orders.ts';

const app = express();

// Before parsers of bodies: envelopes go on as they came.
app.use(tunnel({ dsns: [process.env.DSN] }));
app.use(express.json());

app.get('/', (_request, response) => {
  response.send('<!doctype html><title>Shop</title><h1>Shop</h1><a href="/orders/1">Order 1</a>');
});
app.get('/orders/:id', (request, response) => {
  response.send(`<!doctype html><title>Order</title><h1>Order</h1><p>${totalOf(Number(request.params.id))} EUR</p>`);
});
app.get('/api/orders/:id', (request, response) => {
  response.json({ total: totalOf(Number(request.params.id)) });
});
app.post('/api/orders', (request, response) => {
  response.status(201).json({ id: orders.push(request.body as (typeof orders)[number]) });
});

app.use(fail);

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://localhost:${address.port}`);
});
