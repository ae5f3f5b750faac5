/** A page that fails: bundled, minified, uploaded, and run to its error. */
import { checkout } from './checkout.ts';

declare const BUILD: string;

declare global {
  var buy: (() => void) | undefined;
  var build: string | undefined;
}

globalThis.build = BUILD;
globalThis.buy = () => {
  const total = checkout({ items: [{ name: 'tea', price: 4, count: 2 }], coupon: null });
  console.log(total);
};
