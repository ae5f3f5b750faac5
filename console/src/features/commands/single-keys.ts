/** Whether single letters act; readers who dictate or whose hands slip can switch them off (WCAG 2.1.4). */
const key = 'culprit:single-keys';

export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(key) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(key);
    else localStorage.setItem(key, 'off');
  } catch {
    // Without storage they stay on.
  }
}
