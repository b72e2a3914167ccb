import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const mcpSettings = model(
  'McpSettings',
  {
    allowedOrigins: Type.Array(Type.String({ maxLength: 200 }), {
      default: [],
      maxItems: 100,
      description:
        'Origins of browser pages that may use the MCP endpoints, such as https://app.example.org; that of the public URL always may.',
    }),
    oauth: Type.Boolean({
      default: true,
      description: 'AI clients can be connected with OAuth; if off, only API keys and sessions are accepted.',
    }),
    trustedClientHosts: Type.Array(Type.String({ maxLength: 253 }), {
      default: ['chatgpt.com', 'claude.ai', 'claude.com'],
      maxItems: 100,
      description: 'Hosts of AI clients for which the consent page shows no warning.',
    }),
    refreshGrace: Type.Boolean({
      default: false,
      description:
        'A refresh token that its client sends again within 10 seconds is refused without revoking the connection.',
    }),
  },
  { closed: true },
);

export type McpSettings = TypeOf<typeof mcpSettings>;

export const config = defineConfig(createToken<McpSettings>('mcp.config'), mcpSettings);
