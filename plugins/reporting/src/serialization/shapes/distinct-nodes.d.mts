/** The types of `distinct-nodes.mjs`, for its test. */
export declare function distinctNodes(document: object): object;
