/** The systems that the API names. Plugins determine which of them a deployment offers. */
export const providerNames = ['external', 'mercury', 'plaid', 'quickbooks'] as const;

export type ProviderName = (typeof providerNames)[number];

/** The ways for a person to authorize a provider. */
export const authTypes = ['api_key', 'link', 'none', 'oauth'] as const;
