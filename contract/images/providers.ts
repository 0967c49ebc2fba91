/** The image providers. */
export const providerIds = ['pixai', 'kusa', 'imagine-art', 'midjourney'] as const;
export type ProviderId = (typeof providerIds)[number];
export const defaultProvider = 'pixai' satisfies ProviderId;
