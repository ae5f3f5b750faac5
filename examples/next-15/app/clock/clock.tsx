'use client';

function language(): string {
  if (typeof window === 'undefined') throw new Error('the server has no language');
  return window.navigator.language;
}

export function Clock() {
  return <h1>Open from {new Date(0).toLocaleTimeString(language(), { timeZone: 'UTC' })}</h1>;
}
