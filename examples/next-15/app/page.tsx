import Link from 'next/link';

const pages = {
  '/invoices/7': 'Invoice: a server component throws',
  '/reviews': 'Reviews: a server component throws late, inside Suspense',
  '/account': 'Account: a nested layout throws',
  '/cart': 'Cart: a client component throws in the browser',
  '/offers': 'Offers: a client component throws on both sides',
  '/clock': 'Clock: a client component throws on the server only',
  '/checkout': 'Checkout: server actions throw',
  '/prices': 'Prices: the framework throws',
  '/support/9': 'Support: a page of its own for errors',
};

export default function Home() {
  return (
    <main>
      <h1>Shop</h1>
      <ul>
        {Object.entries(pages).map(([path, text]) => (
          <li key={path}>
            {/* Without prefetching, so that nothing throws before it is asked for. */}
            <Link href={path} prefetch={false}>
              {text}
            </Link>
          </li>
        ))}
        <li>
          <a href="/api/stock">Stock: a route handler throws</a>
        </li>
      </ul>
    </main>
  );
}
