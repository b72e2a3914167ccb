/** The systems that the API has words for. Which of them a deployment has is a matter of its plugins. */
export const providerNames = ['external', 'mercury', 'plaid', 'quickbooks'] as const;

export type ProviderName = (typeof providerNames)[number];

/** How a person lets a provider in. */
export const authTypes = ['api_key', 'link', 'none', 'oauth'] as const;
