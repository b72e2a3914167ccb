/** URLs from which stored files can be downloaded without a credential. */
export { downloadServices, expiresIn, grantDownload } from './grant-download.ts';
