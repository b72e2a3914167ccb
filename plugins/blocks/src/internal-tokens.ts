import { createToken } from '@pacioli/core';
import type { BlockDispatch } from './envelopes/index.ts';
import type { RuleFinder, ShippedRules } from './rules/index.ts';
import type { TextBinder } from './texts/index.ts';

export const libraryRules = createToken<ShippedRules>('blocks.library-rules');
export const ruleFinder = createToken<RuleFinder>('blocks.rule-finder');
export const textBinder = createToken<TextBinder>('blocks.text-binder');
export const blockDispatch = createToken<BlockDispatch>('blocks.dispatch');
