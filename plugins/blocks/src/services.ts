import type { Provider } from '@pacioli/core';

export const services: readonly Provider[] = [];
