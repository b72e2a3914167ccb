import { StartUpError } from './start-up-error.ts';

/** Where the files of the service are, if not in its data folder. */
export interface BucketSettings {
  readonly bucket: string;
  readonly prefix?: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly publicEndpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const form =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*))?\/?$/;

/** Reads the switches of the bucket; undefined without its URL. */
export function bucketSettings(text: (name: string) => string): BucketSettings | undefined {
  const url = text('PACIOLI_FILE_STORE_URL');
  const endpoint = address(text, 'PACIOLI_FILE_STORE_ENDPOINT');
  const publicEndpoint = address(text, 'PACIOLI_FILE_STORE_PUBLIC_ENDPOINT');
  const credentials = credentialsOf(text);
  if (url === '') {
    // Files would silently go to the data folder.
    if ([endpoint, publicEndpoint, credentials].every((setting) => setting === undefined)) return undefined;
    throw new StartUpError('Set PACIOLI_FILE_STORE_URL too: it names the bucket.');
  }
  const { bucket, prefix } = form.exec(url)?.groups ?? {};
  if (bucket === undefined)
    throw new StartUpError('PACIOLI_FILE_STORE_URL must look like s3://bucket or s3://bucket/prefix.');
  return {
    bucket,
    region: text('PACIOLI_FILE_STORE_REGION'),
    ...(prefix === undefined ? {} : { prefix }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function address(text: (name: string) => string, name: string): string | undefined {
  const url = text(name);
  if (url === '') return undefined;
  if (/^https?:\/\/[^/?#]+\/?$/.test(url)) return url;
  throw new StartUpError(`${name} must be a URL without a path, such as https://objects.example.com.`);
}

function credentialsOf(text: (name: string) => string): BucketSettings['credentials'] {
  const accessKeyId = text('PACIOLI_FILE_STORE_ACCESS_KEY_ID');
  const secretAccessKey = text('PACIOLI_FILE_STORE_SECRET_ACCESS_KEY');
  if (accessKeyId === '' && secretAccessKey === '') return undefined;
  if (accessKeyId !== '' && secretAccessKey !== '') return { accessKeyId, secretAccessKey };
  throw new StartUpError(
    'Set both PACIOLI_FILE_STORE_ACCESS_KEY_ID and PACIOLI_FILE_STORE_SECRET_ACCESS_KEY, or neither.',
  );
}
