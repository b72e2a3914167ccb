import { calendarDate, model, nullable, oneOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { providerNames } from './provider-names.ts';

const optionalText = Type.Optional(nullable(Type.String()));
const optionalDate = Type.Optional(nullable(calendarDate()));

const createConnectionRequest = model('CreateConnectionRequest', {
  provider: oneOf(providerNames),
  entity_id: optionalText,
  quickbooks_config: Type.Optional(
    nullable(model('QuickBooksConnectionConfig', { realm_id: optionalText, refresh_token: optionalText })),
  ),
  external_config: Type.Optional(
    nullable(model('ExternalConnectionConfig', { source_name: Type.String(), display_name: optionalText })),
  ),
  mercury_config: Type.Optional(
    nullable(
      model('MercuryConnectionConfig', {
        since_date: optionalDate,
        include_treasury: Type.Optional(Type.Boolean({ default: true })),
        api_key: optionalText,
      }),
    ),
  ),
  plaid_config: Type.Optional(nullable(model('PlaidConnectionConfig', { since_date: optionalDate }))),
});

export type CreateConnectionRequest = TypeOf<typeof createConnectionRequest>;
export default createConnectionRequest;
