import { testSecrets } from '../../../base/secrets/testing.ts';
import { createVault } from '../vault.ts';

export const testVault = createVault(testSecrets.box('stored secret'));
