"""The published Python client, unmodified, from registration to a statement. Prints one line of JSON for each step.

Usage: python python_client_run.py BASE_URL
"""

import json
import sys
import uuid
from datetime import date

from robosystems_client import AuthenticatedClient, Client
from robosystems_client.api.auth.login_user import sync_detailed as login_user
from robosystems_client.api.auth.register_user import sync_detailed as register_user
from robosystems_client.api.extensions_robo_ledger.assert_metrics import sync_detailed as assert_metrics
from robosystems_client.api.graphs.get_graphs import sync_detailed as get_graphs
from robosystems_client.api.user.create_user_api_key import sync_detailed as create_user_api_key
from robosystems_client.clients import (
    GraphMetadata,
    InitialEntityData,
    RoboSystemsClientConfig,
    RoboSystemsClients,
)
from robosystems_client.models import AssertMetricsRequest, CreateAPIKeyRequest, LoginRequest, RegisterRequest

PASSWORD = "Harbour-Lantern-42"
YEAR = 2025


def step(name, **facts):
    print(json.dumps({"step": name, **facts}), flush=True)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def sign_in(base_url):
    """Registers, logs in and creates an API key with the generated layer."""
    email = f"python-{uuid.uuid4().hex[:12]}@example.org"
    plain = Client(base_url=base_url)
    registered = register_user(client=plain, body=RegisterRequest(name="Python", email=email, password=PASSWORD))
    check(registered.status_code == 201, f"register: {registered.status_code} {registered.content!r}")
    check(registered.parsed.org is not None, "register: the response has no organization")
    step("register", status=int(registered.status_code))

    refused = login_user(client=plain, body=LoginRequest(email=email, password=PASSWORD + "x"))
    check(refused.status_code == 401 and refused.parsed.detail, "login: a wrong password must be a readable 401")
    logged_in = login_user(client=plain, body=LoginRequest(email=email, password=PASSWORD))
    check(logged_in.status_code == 200, f"login: {logged_in.status_code} {logged_in.content!r}")
    step("login", expires_in=logged_in.parsed.expires_in)

    session = AuthenticatedClient(base_url=base_url, token=logged_in.parsed.token)
    created = create_user_api_key(client=session, body=CreateAPIKeyRequest(name="Python client"))
    check(created.status_code == 201, f"key: {created.status_code} {created.content!r}")
    step("key", prefix=created.parsed.api_key.prefix)
    return created.parsed.key, logged_in.parsed.token


def create_graph(clients, base_url, key):
    """Creates a graph and waits for it on the event stream; the client would silently fall back to polling."""
    progress = []
    graph_id = clients.graphs.create_graph_and_wait(
        metadata=GraphMetadata(graph_name="Python client", schema_extensions=["roboledger"]),
        initial_entity=InitialEntityData(name="Harbour Lantern Ltd", uri="https://example.org/harbour-lantern"),
        timeout=120,
        on_progress=progress.append,
    )
    check(not any("polling" in line for line in progress), f"graph: the stream was not used: {progress}")
    queued = next(line for line in progress if "operation: " in line)
    operation_id = queued.split("operation: ")[1].rstrip(")")
    followed = clients.monitor_operation(operation_id)
    check(followed.status.value == "completed", f"graph: monitor reports {followed.status}")
    check(followed.result["graph_id"] == graph_id, f"graph: monitor returned {followed.result}")
    status = clients.get_operation_status(operation_id)
    check(status["status"] == "completed", f"graph: status reports {status}")
    check(clients.cancel_operation(operation_id) is False, "graph: a finished operation must not be cancelled")
    keyed = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key")
    listed = get_graphs(client=keyed)
    names = {graph.graph_id: graph.graph_name for graph in listed.parsed.graphs}
    check(names.get(graph_id) == "Python client", f"graph: the list contains {names}")
    step("graph", graph_id=graph_id, progress=len(progress))
    return graph_id


def open_books(ledger, graph_id):
    """Initializes the fiscal calendar and creates a chart of accounts from a template."""
    opened = ledger.initialize_ledger(
        graph_id,
        closed_through=f"{YEAR - 1}-12",
        earliest_data_period=f"{YEAR}-01",
        fiscal_year_start_month=1,
    )
    check(opened.fiscal_calendar.closed_through == f"{YEAR - 1}-12", f"initialize: {opened.fiscal_calendar}")
    step("initialize", periods=opened.periods_created)
    templates = [template.key for template in ledger.list_chart_templates(graph_id)]
    check("saas" in templates, f"chart: the templates are {templates}")
    ledger.initialize_chart_of_accounts(graph_id, "saas")
    accounts = ledger.list_accounts(graph_id).accounts
    step("chart", accounts=len(accounts))
    return [account for account in accounts if not account.is_placeholder and account.is_active]


def account_of(accounts, trait, word):
    found = [account for account in accounts if account.trait == trait and word in account.name.lower()]
    names = [(account.code, account.name, account.trait) for account in accounts]
    check(len(found) > 0, f"chart: no {trait} account with {word!r} in its name among {names}")
    return found[0]


def post_entry(ledger, graph_id, accounts):
    """Posts one journal entry, and shows the client a rejected one."""
    cash = account_of(accounts, "asset", "cash")
    revenue = account_of(accounts, "revenue", "")
    lines = [
        {"element_id": cash.id, "debit_amount": 125_000, "credit_amount": 0},
        {"element_id": revenue.id, "debit_amount": 0, "credit_amount": 125_000},
    ]
    entry = {"posting_date": f"{YEAR}-03-31", "memo": "First invoice, paid", "status": "posted"}
    key = str(uuid.uuid4())
    event = ledger.create_journal_entry(graph_id, **entry, line_items=lines, idempotency_key=key)
    replayed = ledger.create_journal_entry(graph_id, **entry, line_items=lines, idempotency_key=key)
    check(event.id == replayed.id, f"entry: the replay created another event: {event.id}, {replayed.id}")
    check(event.status == "fulfilled", f"entry: a posted entry's event is {event.status}")
    try:
        ledger.create_journal_entry(graph_id, **entry, line_items=[lines[0], {**lines[1], "credit_amount": 1}])
    except RuntimeError as error:
        check("422" in str(error), f"entry: an unbalanced one was rejected with {error}")
    else:
        raise AssertionError("entry: an unbalanced one was accepted")
    step("entry", event=event.id)
    return cash


def read_books(ledger, graph_id, cash):
    """Reads the trial balance through GraphQL and a statement through its view."""
    window = {"start_date": f"{YEAR}-01-01", "end_date": f"{YEAR}-12-31"}
    balance = ledger.get_trial_balance(graph_id, **window)
    check(balance.total_debits == balance.total_credits == 1250.0, f"trial balance: {balance}")
    row = next(row for row in balance.rows if row.account_id == cash.id)
    check(row.net_balance == 1250.0, f"trial balance: {row}")
    step("trial balance", rows=len(balance.rows))
    for kind in ("income_statement", "balance_sheet"):
        statement = ledger.live_financial_statement(
            graph_id,
            {"statement_type": kind, "period_start": f"{YEAR}-01-01", "period_end": f"{YEAR}-12-31"},
        )
        values = [value for fact in statement.facts for value in fact.values]
        check(statement.fact_count == len(statement.facts) > 0, f"{kind}: it has {statement.fact_count} facts")
        check(1250.0 in values, f"{kind}: no fact of 1250.0 among {values}")
        step("statement", kind=kind, facts=statement.fact_count)


def measure(ledger, base_url, key, graph_id):
    """Computes the shipped metrics, which lack reports here, and stores an observed metric of an own block."""
    [catalog] = ledger.list_information_blocks(graph_id, block_type="metric")
    computed = ledger.compute_metrics(graph_id, {"structure_id": catalog.id, "period_end": f"{YEAR}-03-31"})
    check(len(computed.computed) == 0 and len(computed.skipped) == 10, f"metrics: {computed}")
    check(computed.fact_set_id is None, f"metrics: a set without facts was written: {computed}")
    concept = {"balance_type": "debit", "period_type": "instant", "is_monetary": False}
    block = ledger.create_taxonomy_block(
        graph_id,
        {
            "name": "Reach",
            "taxonomy_type": "custom_ontology",
            "elements": [
                {"qname": "own:Reach", "name": "Reach", "element_type": "abstract", **concept},
                {"qname": "own:Followers", "name": "Followers", **concept},
            ],
            "structures": [{"name": "Reach", "block_type": "metric"}],
            "associations": [
                {
                    "structure_ref": "Reach",
                    "from_ref": "own:Reach",
                    "to_ref": "own:Followers",
                    "association_type": "presentation",
                }
            ],
        },
    )
    structure_id = block.structures[0].id
    keyed = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key")
    for month, followers in (("02-28", 900), ("03-31", 1200.5)):
        body = {
            "structure_id": structure_id,
            "period_end": f"{YEAR}-{month}",
            "source_system": "python",
            "observations": [{"qname": "own:Followers", "value": followers}],
        }
        asserted = assert_metrics(graph_id, client=keyed, body=AssertMetricsRequest.from_dict(body))
        check(asserted.status_code == 200, f"metrics: {asserted.status_code} {asserted.content!r}")
        check(asserted.parsed.result.replaced is False, f"metrics: {asserted.parsed}")
    read = ledger.get_information_block(graph_id, structure_id)
    values = [row.values for row in read.view.rendering.rows if row.element_qname == "own:Followers"]
    check(values == [[900.0, 1200.5]], f"metrics: the series is {values}")
    step("metrics", skipped=len(computed.skipped))


def file_report(ledger, graph_id):
    """Creates, reads and files a report, and shows the client that a filed one stays."""
    [mapping] = ledger.list_mappings(graph_id)
    # The client declares the dates as text, but its request model takes dates.
    window = (date(YEAR, 1, 1), date(YEAR, 12, 31))
    report = ledger.create_report(graph_id, f"Year {YEAR}", mapping.id, *window, period_type="annual")
    check(report.generation_status == "published", f"report: {report}")
    sheet = ledger.get_statement(graph_id, report.id, "balance_sheet")
    check(sheet.validation.passed and any(row.values[0] == 1250.0 for row in sheet.rows), f"report: {sheet}")
    check(len(ledger.get_report_package(graph_id, report.id).items) > 1, "report: the package lacks statements")
    check(ledger.transition_filing_status(graph_id, report.id, "under_review").filing_status == "under_review", "report")
    check(ledger.file_report(graph_id, report.id).filing_status == "filed", "report: it was not filed")
    check([listed.id for listed in ledger.list_reports(graph_id)] == [report.id], "report: the list lacks it")
    try:
        ledger.delete_report(graph_id, report.id)
    except RuntimeError as error:
        check("422" in str(error), f"report: the deletion of a filed one was rejected with {error}")
    else:
        raise AssertionError("report: a filed one was deleted")
    step("report", id=report.id)


def main():
    base_url = sys.argv[1]
    key, token = sign_in(base_url)
    clients = RoboSystemsClients(RoboSystemsClientConfig(base_url=base_url, headers={"X-API-Key": key}))
    graph_id = create_graph(clients, base_url, key)
    accounts = open_books(clients.ledger, graph_id)
    cash = post_entry(clients.ledger, graph_id, accounts)
    read_books(clients.ledger, graph_id, cash)
    measure(clients.ledger, base_url, key, graph_id)
    file_report(clients.ledger, graph_id)
    # With a session token the facades send it in both headers; the bearer must win.
    session = RoboSystemsClientConfig(base_url=base_url, headers={"Authorization": f"Bearer {token}"})
    entity = RoboSystemsClients(session).ledger.get_entity(graph_id)
    check(entity.name == "Harbour Lantern Ltd", f"session: the entity is {entity}")
    step("done")


if __name__ == "__main__":
    main()
