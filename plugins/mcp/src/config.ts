import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const mcpSettings = model(
  'McpSettings',
  {
    allowedOrigins: Type.Array(Type.String({ maxLength: 200 }), {
      default: [],
      maxItems: 100,
      description:
        'Origins of browser pages that may use the MCP endpoints, such as https://app.example.org; that of the service always may.',
    }),
  },
  { closed: true },
);

export type McpSettings = TypeOf<typeof mcpSettings>;

export const config = defineConfig(createToken<McpSettings>('mcp.config'), mcpSettings);
