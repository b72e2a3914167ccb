/** The types of `distinct-forms.mjs`, for its test. */
import type { Quad } from 'n3';

export declare function distinctForms(quads: readonly Quad[], vocabulary: string): readonly Quad[];
