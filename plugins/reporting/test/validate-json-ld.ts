import { type BundleValidation, BundleValidator } from '../src/serialization/shapes/index.ts';

/** Checks a document of the shipped vocabulary against the shapes. */
export async function validateJsonLd(text: string): Promise<BundleValidation> {
  const validator = new BundleValidator();
  const { signal } = new AbortController();
  try {
    return await validator.validate({ parts: [text], base: 'https://vocab.example.org', signal });
  } finally {
    await validator.stop();
  }
}
