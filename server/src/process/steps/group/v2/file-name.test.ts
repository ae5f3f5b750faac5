import { describe, expect, it } from 'vitest';
import { stableFileName, stableModule } from './file-name.ts';

describe('stableFileName', () => {
  it.each([
    // webpack
    ['main.1a583dc0.js', 'main.js'],
    ['2.4185d9aa.chunk.js', '2.chunk.js'],
    ['vendors~main.4f3e2d1c.chunk.js', 'vendors~main.chunk.js'],
    ['main.k3x9q2.js', 'main.js'],
    ['checkout-u12GNAq0DR-PeB2BtIYs.js', 'checkout.js'],
    // Vite and Rollup
    ['index-FdK_ReT8.js', 'index.js'],
    ['Checkout-BcTLTgZ4.js', 'checkout.js'],
    ['Checkout-lxdIvqhj.js', 'checkout.js'],
    ['index-legacy-D7x9kQ2p.js', 'index-legacy.js'],
    ['entry-llmAOmeFgJ.js', 'entry.js'],
    // SvelteKit and Nuxt name files by hashes alone
    ['CkjTzvQ3.js', ''],
    ['3f2a1b9.js', ''],
    // esbuild, Remix
    ['chunk-PLDDJCW6.js', 'chunk.js'],
    ['checkout-HZ3VXBFQ.js', 'checkout.js'],
    // Turbopack
    ['0d4ras0-ws4p_.js', ''],
    ['17kq.z9_p0aw3.js', ''],
    ['app_page_tsx_1a2b3c._.js', 'app_page_tsx.js'],
    // Angular, Rails
    ['main-es2015.0f1e2d3c4b5a6978.js', 'main-es2015.js'],
    ['application-4f2a1b9c3d4f2a1b9c3d4f2a1b9c3d4f.js', 'application.js'],
  ])('%s is %s', (base, name) => {
    expect(stableFileName(base)).toEqual({ name, hashed: true });
  });

  it.each(
    [
      'app order-list orderList MyComponent user-settings form-validation use-LocalStorage page-shortcuts product-details',
      'index-useEffect main-es2015 sha256-worker worker-sha256 base64-encoder auth-oauth2 lib-webgl2 jquery-3.6.0 npm.lodash',
      'chunk-vendors view-dashboard my-javascript page-2023 facade2 vendors-graphql lodash-es use-websocket decoder-utf8',
    ]
      .join(' ')
      .split(' '),
  )('%s stays', (stem) => {
    expect(stableFileName(`${stem}.js`)).toEqual({ name: `${stem}.js`.toLowerCase(), hashed: false });
  });
});

describe('stableModule', () => {
  it.each([
    ['static/js/2.4185d9aa.chunk', 'static/js/2.chunk'],
    ['dist:main.1a583dc0', 'dist:main'],
    ['components/Checkout', 'components/Checkout'],
    ['a.chunk', 'a.chunk'],
  ])('%s is %s', (module, name) => {
    expect(stableModule(module).name).toBe(name);
  });
});
