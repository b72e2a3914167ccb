"""Drives the endpoint with the official Python client, and prints what it got as JSON."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY, MODE = sys.argv[1:]


async def main():
    steps = []

    async def on_progress(_progress, _total, message):
        steps.append(message)

    async with httpx2.AsyncClient(headers={"X-API-Key": KEY}) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=MODE) as client:
            echoed = await client.call_tool("echo", {"text": "hello"})
            await client.call_tool("count-slowly", {}, progress_callback=on_progress)
            refused = await client.call_tool("echo", {"text": "hello", "graph_id": "kg1"})
            schema = (await client.list_resources()).resources[0].uri
            read = await client.read_resource(schema)
            print(
                json.dumps(
                    {
                        "revision": client.protocol_version,
                        "server": client.server_info.title,
                        "instructions": client.instructions.split(" (")[0],
                        "tools": [tool.name for tool in (await client.list_tools()).tools],
                        "echoed": echoed.structured_content,
                        "steps": steps,
                        "refused": refused.is_error,
                        "resource": read.contents[0].mime_type,
                        "prompts": (await client.list_prompts()).prompts,
                    }
                )
            )


asyncio.run(main())
