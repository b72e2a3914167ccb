type Params = Readonly<Record<string, unknown>>;

/** The headers and the body of a request of the stateless revision (ai-surface M-20a). */
export function statelessRequest(
  method: string,
  params: Params = {},
  { capabilities = {}, id = 1 }: { readonly capabilities?: object; readonly id?: string | number } = {},
) {
  const { name, uri, taskId } = params;
  const mirrored = name ?? uri ?? taskId;
  const Meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(params['_meta'] as object | undefined),
  };
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof mirrored === 'string' ? { 'Mcp-Name': mirrored } : {}),
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: Meta } },
  };
}
