import { passwordPolicy } from './password-policy.ts';

// Loaded with the first password: native code is slow to load and many processes never need it.
const argon2 = () => import('@node-rs/argon2');
const bcrypt = () => import('@node-rs/bcrypt');

/** Argon2id with 19 MiB, two passes and one lane (platform A-23); the library defaults to argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that matches no password: comparing against it takes as long as a real comparison (platform A-21). */
const unknownUserHash =
  '$argon2id$v=19$m=19456,t=2,p=1$tf4yMmDQYGJ0doKTPOZNGg$01nf2IX++QddjOJnrhgg3kP2trpMF6BoSu+LDm1iLqs';

/** Hashes a password for storage. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, cost);
}

/** True if the password matches the hash. Without a hash it does the same work and returns false. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const isPossible = typeof stored === 'string' && password.length <= passwordPolicy.max_length * 2;
  if (isPossible && isForeignHash(stored)) return (await bcrypt()).verify(password, stored);
  const { verify } = await argon2();
  const matches = await verify(isPossible ? stored : unknownUserHash, isPossible ? password : '-', cost);
  return isPossible && matches;
}

/** True for the hash of an imported user, which is replaced at the next login (platform A-23). */
export function isForeignHash(stored: string): boolean {
  return /^\$2[abxy]\$/.test(stored);
}
