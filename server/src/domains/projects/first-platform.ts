/** A project that was created without a platform gets that of its first event. */
import type { StateTransaction } from '../../ports/state/state.ts';

/** What SDKs call themselves, where Sentry's API calls their platform otherwise. */
const otherwise: Readonly<Record<string, string>> = {
  'java.android': 'android',
  'java.spring-boot': 'java-spring-boot',
  'javascript.browser': 'javascript',
  'javascript.node': 'node',
  'javascript.express': 'node-express',
  'javascript.react-native': 'react-native',
  'dart.flutter': 'flutter',
  'dotnet.unity': 'unity',
  'native.unreal': 'unreal',
  cocoa: 'apple-ios',
};

/** `sentry.python.django` is `python-django`; without an SDK that says more, the event's own. Pure. */
export function platformOfSdk(sdk: string, platform: string): string {
  const [maker, language = '', framework = ''] = sdk.toLowerCase().split('.', 3);
  if (maker !== 'sentry' || !/^[a-z0-9]{1,20}$/.test(language)) return platform;
  const known = otherwise[`${language}.${framework}`] ?? otherwise[language];
  if (known) return known;
  return /^[a-z0-9-]{1,40}$/.test(framework) ? `${language}-${framework}` : language;
}

export async function notePlatform(
  trx: StateTransaction,
  projectId: number,
  sdk: string,
  ofEvent: string,
): Promise<void> {
  const platform = platformOfSdk(sdk, ofEvent);
  if (!platform || platform === 'other') return;
  await trx.updateTable('project').set({ platform }).where('id', '=', projectId).where('platform', '=', '').execute();
}
