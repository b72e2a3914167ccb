import { contribute, pluginPages } from '@pacioli/core';

/** The page `/console/reminders`. With `script: new URL('./page.js', import.meta.url)` it could read reminders. */
export const page = contribute(pluginPages, 'reminders', {
  create: () => ({
    title: 'Reminders',
    summary: 'How reminders work.',
    body: () => '<p>Each graph has a list of reminders, by date.</p>',
  }),
});
