/** What the visitor chose last time. */
interface Settings {
  readonly currency: string;
}

const stored = localStorage.getItem('shop-settings');

export const settings: Settings = stored === null ? { currency: 'EUR' } : (JSON.parse(stored) as Settings);
