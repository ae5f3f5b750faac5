import { secretsOf } from './secrets.ts';

export const testSecrets = secretsOf('a secret of thirty-two letters or more', 'a test');
