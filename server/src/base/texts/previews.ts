/** What is said of previews of any kind. */
export const previews = {
  stopped: 'The server that ran the preview stopped. Start the preview again',
} as const;
