/** @module-tag sessions */
// Goal: people of another system become callers, and stay what that system says. Method: an identity over a map that
// the tests change, behind a kernel without plugins; the clock advances past the cache.
import { fixedClock, openTestStore, TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
