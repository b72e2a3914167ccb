import { model, nullable, oneOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { authTypes, providerNames } from './provider-names.ts';

export const connectionProviderInfo = model('ConnectionProviderInfo', {
  provider: oneOf(providerNames),
  display_name: Type.String(),
  description: Type.String(),
  auth_type: oneOf(authTypes),
  required_config: Type.Array(Type.String()),
  features: Type.Array(Type.String()),
  data_types: Type.Array(Type.String()),
  auth_flow: Type.Optional(nullable(Type.String())),
  optional_config: Type.Optional(Type.Array(Type.String())),
  sync_frequency: Type.Optional(nullable(Type.String())),
  setup_instructions: Type.Optional(nullable(Type.String())),
  documentation_url: Type.Optional(nullable(Type.String())),
});

export type ConnectionProviderInfo = TypeOf<typeof connectionProviderInfo>;
