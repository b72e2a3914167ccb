import { createToken } from '@pacioli/core';
import type { BlockDispatch } from './block-dispatch.ts';
import type { ShippedRules } from './library-rules.ts';
import type { RuleFinder } from './rule-finder.ts';
import type { TextBinder } from './text-binder.ts';

export const libraryRules = createToken<ShippedRules>('blocks.library-rules');
export const ruleFinder = createToken<RuleFinder>('blocks.rule-finder');
export const textBinder = createToken<TextBinder>('blocks.text-binder');
export const blockDispatch = createToken<BlockDispatch>('blocks.dispatch');
