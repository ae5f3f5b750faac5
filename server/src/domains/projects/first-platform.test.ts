import { expect, test } from 'vitest';
import { platformOfSdk } from './first-platform.ts';

test.each([
  ['sentry.python.django', 'python', 'python-django'],
  ['sentry.python', 'python', 'python'],
  ['sentry.java.spring-boot.jakarta', 'java', 'java-spring-boot'],
  ['sentry.java.android', 'java', 'android'],
  ['sentry.javascript.nextjs', 'node', 'javascript-nextjs'],
  ['sentry.javascript.node', 'node', 'node'],
  ['sentry.php.laravel', 'php', 'php-laravel'],
  ['sentry.go.gin', 'go', 'go-gin'],
  ['sentry.rust', 'native', 'rust'],
  ['sentry.cocoa', 'cocoa', 'apple-ios'],
  ['raven-python', 'python', 'python'],
  ['sentry.<script>', 'javascript', 'javascript'],
  ['', 'ruby', 'ruby'],
])('%s with %s is %s', (sdk, platform, expected) => {
  expect(platformOfSdk(sdk, platform)).toBe(expected);
});
