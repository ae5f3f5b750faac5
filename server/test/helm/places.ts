/** Where `npm test` puts what checks the Helm chart: Helm of its Go module, and Kubernetes' schemas of PyPI. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

const helmVersion = 'v3.22.0';
export const helmModule = `helm.sh/helm/v3/cmd/helm@${helmVersion}`;
export const helmDir = join(cache, `helm-${helmVersion}`);
export const helmProgram = join(helmDir, 'helm');
export const hasHelm = (): boolean => existsSync(helmProgram);

export const kubernetesValidateVersion = '1.37.0';
export const kubernetesValidateDir = join(cache, `kubernetes-validate-${kubernetesValidateVersion}`);
export const kubernetesValidate = join(kubernetesValidateDir, 'bin/kubernetes-validate');
export const hasKubernetesValidate = (): boolean => existsSync(kubernetesValidate);
