import { AppReady, RouteBoundary } from '@culprit/react';
import { captureReactException } from '@sentry/react';
import { Suspense, use, useState } from 'react';
import { fetchProducts, type Product } from './products.ts';
import { settings } from './settings.ts';

const category = new URLSearchParams(location.search).get('category') ?? 'tea';
const products = fetchProducts(category);

export function Shop() {
  return (
    <main>
      <h1>Shop</h1>
      <Suspense fallback={<p>Loading …</p>}>
        <ProductList />
        <AppReady />
      </Suspense>
    </main>
  );
}

function ProductList() {
  const [chosen, setChosen] = useState<Product>();
  return (
    <>
      <ul>
        {use(products).map((product) => (
          <li key={product.id}>
            {product.name}, {product.price.toFixed(2)} {settings.currency}{' '}
            <button type="button" onClick={() => setChosen(product)}>
              Details
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <RouteBoundary resetKey={chosen} onError={captureReactException}>
          <Details product={chosen} />
        </RouteBoundary>
      )}
    </>
  );
}

/** The origin stands in brackets behind the name; not every name has one. */
function Details({ product }: { readonly product: Product }) {
  const [, origin = ''] = /\(([^)]*)\)/.exec(product.name) as RegExpExecArray;
  return (
    <section>
      <h2>{product.name}</h2>
      <p>Origin: {origin}</p>
    </section>
  );
}
