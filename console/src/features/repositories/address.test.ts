import { expect, test } from 'vitest';
import { providerOf, repositoryName } from './address.ts';

test('an address names provider and repository', () => {
  expect([
    providerOf('https://github.com/acme/shop'),
    providerOf('https://gitlab.example.com/a/b/c'),
    providerOf(' https://user@Bitbucket.org/a/b'),
    providerOf('https://notgithub.com/a/b'),
    providerOf('github.com'),
  ]).toEqual(['github', 'gitlab', 'bitbucket', 'other', 'other']);
  expect(repositoryName('https://github.com/acme/shop.git')).toBe('acme/shop');
  expect(repositoryName('https://gitlab.example.com/a/b/c/?x=1')).toBe('a/b/c');
  expect(repositoryName('https://github.com')).toBe('');
});
