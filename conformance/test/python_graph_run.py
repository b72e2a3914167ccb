"""A property graph that others published, through the published Python client: uploaded, materialized and queried.

The graph is the co-appearances of characters in a novel, which networkx ships; networkx also computes what the answers
must be. Usage: python python_graph_run.py BASE_URL FOLDER
"""

import json
import pathlib
import sys
import uuid

import duckdb
import networkx
from robosystems_client import AuthenticatedClient, Client
from robosystems_client.api.auth.register_user import sync_detailed as register_user
from robosystems_client.api.graphs.create_graph import sync_detailed as create_graph
from robosystems_client.api.user.create_user_api_key import sync_detailed as create_user_api_key
from robosystems_client.clients import RoboSystemsClientConfig, RoboSystemsClients
from robosystems_client.models import CreateAPIKeyRequest, CreateGraphRequest, RegisterRequest

SCHEMA = {
    "name": "novel",
    "nodes": [
        {
            "name": "Character",
            "properties": [{"name": "name", "type": "STRING", "is_primary_key": True}, {"name": "degree", "type": "INT32"}],
        }
    ],
    "relationships": [
        {
            "name": "APPEARS_WITH",
            "from_node": "Character",
            "to_node": "Character",
            "properties": [{"name": "chapters", "type": "INT64"}],
        }
    ],
}


def step(name, **facts):
    print(json.dumps({"step": name, **facts}), flush=True)


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: found {found}, wanted {wanted}")


def make_key(base_url):
    email = f"graph-{uuid.uuid4().hex[:12]}@example.org"
    body = RegisterRequest(name="Graph", email=email, password="Harbour-Lantern-42")
    registered = register_user(client=Client(base_url=base_url), body=body)
    session = AuthenticatedClient(base_url=base_url, token=registered.parsed.token)
    return create_user_api_key(client=session, body=CreateAPIKeyRequest(name="graph")).parsed.key


def write_parquet(folder, name, columns, rows):
    path = str(folder / f"{name}.parquet")
    duckdb.sql(f"CREATE OR REPLACE TABLE data ({columns})")
    duckdb.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(rows[0]))})", rows)
    duckdb.sql(f"COPY data TO '{path}' (FORMAT parquet)")
    return path


def main(base_url, folder, engine):
    novel = networkx.les_miserables_graph()
    key = make_key(base_url)
    clients = RoboSystemsClients(RoboSystemsClientConfig(base_url=base_url, headers={"X-API-Key": key}))
    keyed = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key")

    request = CreateGraphRequest.from_dict({"metadata": {"graph_name": "Novel"}, "custom_schema": SCHEMA})
    created = create_graph(client=keyed, body=request)
    expect(int(created.status_code), 202, "creating the graph")
    graph_id = clients.monitor_operation(created.parsed.operation_id).result["graph_id"]
    step("graph")

    nodes = write_parquet(folder, "characters", "name VARCHAR, degree INTEGER", [(n, d) for n, d in novel.degree()])
    edges = [(a, b, int(w)) for a, b, w in novel.edges(data="weight")]
    arcs = write_parquet(folder, "appearances", '"from" VARCHAR, "to" VARCHAR, chapters BIGINT', edges)
    for table, path, count in (("Character", nodes, len(novel)), ("APPEARS_WITH", arcs, len(edges))):
        uploaded = clients.files.upload(graph_id, table, path)
        expect((uploaded.success, uploaded.row_count), (True, count), f"uploading {table}: {uploaded.error}")
    step("upload")

    staged = clients.tables.query(graph_id, "SELECT count(*), sum(chapters) FROM APPEARS_WITH")
    expect(staged.rows, [[len(edges), sum(w for _, _, w in edges)]], "SQL")
    step("sql")

    built = clients.graphs.materialize(graph_id)
    expect((built.success, built.total_rows), (True, len(novel) + len(edges)), f"materializing: {built.error}")
    step("materialize")

    def rows(text):
        return clients.query.query(graph_id, text).data

    triangles = sum(networkx.triangles(novel).values()) // 3
    found = rows(
        "MATCH (a:Character)-[:APPEARS_WITH]-(b:Character)-[:APPEARS_WITH]-(c:Character)-[:APPEARS_WITH]-(a) "
        "WHERE a.name < b.name AND b.name < c.name RETURN count(*) AS triangles"
    )
    expect(found, [{"triangles": triangles}], "triangles")
    strongest = max(edges, key=lambda edge: edge[2])
    found = rows("MATCH (a)-[r:APPEARS_WITH]->(b) RETURN a.name AS a, b.name AS b, r.chapters AS n ORDER BY n DESC LIMIT 1")
    expect(found, [{"a": strongest[0], "b": strongest[1], "n": strongest[2]}], "the strongest pair")
    found = rows("MATCH (c:Character)-[r:APPEARS_WITH]-() RETURN c.name AS name, c.degree AS given, count(r) AS degree ORDER BY name")
    wanted = [{"name": n, "given": d, "degree": d} for n, d in sorted(novel.degree())]
    expect(found, wanted, "degrees")
    path = networkx.shortest_path_length(novel, "Napoleon", "Gavroche")
    # The one statement here that engines spell differently (graphs 21.4).
    a, b = "(a:Character {name: 'Napoleon'})", "(b:Character {name: 'Gavroche'})"
    shortest = {
        "embedded": f"{a}-[:APPEARS_WITH* SHORTEST 1..10]-{b}",
        "bolt": f"shortestPath({a}-[:APPEARS_WITH*1..10]-{b})",
    }
    found = rows(f"MATCH p = {shortest[engine]} RETURN length(p) AS steps")
    expect(found, [{"steps": path}], "the shortest path")
    step("query", triangles=triangles, characters=len(novel), pairs=len(edges))


main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
