import { passwordPolicy } from './password-policy.ts';

// Loaded with the first password: most processes start without one, and native code takes its time.
const argon2 = () => import('@node-rs/argon2');
const bcrypt = () => import('@node-rs/bcrypt');

/** Argon2id with 19 MiB, two passes and one lane (platform A-23); the library's variant is argon2id by default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password that nobody has: comparing with it costs what a real comparison costs (platform A-21). */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$tf4yMmDQYGJ0doKTPOZNGg$01nf2IX++QddjOJnrhgg3kP2trpMF6BoSu+LDm1iLqs';

/** What is stored of a password. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, cost);
}

/** Whether the password belongs to the hash. Without a hash the same work is done and the answer is no. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const isPossible = typeof stored === 'string' && password.length <= passwordPolicy.max_length * 2;
  if (isPossible && isForeignHash(stored)) return (await bcrypt()).verify(password, stored);
  const { verify } = await argon2();
  const matches = await verify(isPossible ? stored : nobodysHash, isPossible ? password : '-', cost);
  return isPossible && matches;
}

/** Whether a hash came with an imported user and is to be replaced at his next login (platform A-23). */
export function isForeignHash(stored: string): boolean {
  return /^\$2[abxy]\$/.test(stored);
}
