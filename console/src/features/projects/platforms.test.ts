import { expect, test } from 'vitest';
import * as m from '../../messages/platforms.ts';
import { byLanguage, knownPlatform, languages, platformName, searchPlatforms } from './platforms.ts';

test('every name stands in one language', () => {
  expect(languages.flatMap((language) => byLanguage[language]).toSorted()).toEqual(Object.keys(m.names).toSorted());
});

test('search finds by name, language, id and other words; what begins so comes first', () => {
  expect(searchPlatforms('djan')).toEqual([['python', ['python-django']]]);
  expect(searchPlatforms('spring')[0]).toEqual(['java', ['java-spring-boot']]);
  expect(searchPlatforms('C#')[0]?.[0]).toBe('dotnet');
  expect(searchPlatforms('swift')).toEqual([['mobile', ['apple-ios', 'apple-macos']]]);
  expect(searchPlatforms('python lambda')).toEqual([['python', ['python-awslambda']]]);
  expect(searchPlatforms('ph')[0]?.[0]).toBe('php');
  expect(searchPlatforms('no such')).toEqual([]);
});

test('a platform of Sentry that has no setup of its own gets that of its language', () => {
  expect(knownPlatform('python-django')).toBe('python-django');
  expect(knownPlatform('python-asgi')).toBe('python');
  expect(knownPlatform('node-koa')).toBe('node');
  expect(knownPlatform('perl')).toBe('other');
  expect(knownPlatform(null)).toBe('other');
  expect(platformName('python-flask')).toBe('Flask');
  expect(platformName('perl')).toBe('perl');
  expect(platformName(null)).toBe('');
});
