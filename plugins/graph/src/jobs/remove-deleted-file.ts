import { defineJob, kernel } from '@pacioli/core';
import fileDeleted from '../events/file-deleted.ts';

export default defineJob({
  name: 'remove-deleted-file',
  summary: 'Removes the content of a deleted file from the file store.',
  on: fileDeleted,
  maxSeconds: 120,
  services: { files: kernel.fileStore },
  async handle({ payload, use }) {
    await use.files.remove(payload.file_key);
  },
});
