"""The handshake of an issuer and its holders through the published Python client, unmodified: two organizations of two
people each, a security that names its issuer before and after the first shared report, and the graphs of both sides.
Prints one line of JSON for each step.

Usage: python python_handshake_run.py BASE_URL
"""

import json
import sys
import time
import uuid
from datetime import date
from decimal import Decimal

from robosystems_client import AuthenticatedClient, Client
from robosystems_client.api.auth.register_user import sync_detailed as register_user
from robosystems_client.api.graph_members.add_graph_member import sync_detailed as add_graph_member
from robosystems_client.api.org.list_user_orgs import sync_detailed as list_user_orgs
from robosystems_client.api.org_members.create_org_invitation import sync_detailed as invite
from robosystems_client.api.user.create_user_api_key import sync_detailed as create_user_api_key
from robosystems_client.clients import (
    GraphMetadata,
    InitialEntityData,
    RoboSystemsClientConfig,
    RoboSystemsClients,
)
from robosystems_client.models import (
    AddGraphMemberRequest,
    CreateAPIKeyRequest,
    CreateInvitationRequest,
    GraphRole,
    RegisterRequest,
)

BASE_URL = sys.argv[1]
CONCEPTS = "'rs-gaap:NetIncomeLoss', 'rs-gaap:StockholdersEquity'"


def step(name, **facts):
    print(json.dumps({"step": name, **facts}), flush=True)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Person:
    """A registered user; with the token of an invitation, of the organization that invites."""

    def __init__(self, name, invite_token=None):
        self.email = email_of(name)
        body = RegisterRequest(name=name, email=self.email, password="Harbour-Lantern-42")
        if invite_token is not None:
            body.invite_token = invite_token
        registered = register_user(client=Client(base_url=BASE_URL), body=body)
        check(registered.status_code == 201, f"{name}: {registered.status_code} {registered.content!r}")
        self.user_id = registered.parsed.user["id"]
        self.session = AuthenticatedClient(base_url=BASE_URL, token=registered.parsed.token)
        key = create_user_api_key(client=self.session, body=CreateAPIKeyRequest(name=name)).parsed.key
        self.clients = RoboSystemsClients(RoboSystemsClientConfig(base_url=BASE_URL, headers={"X-API-Key": key}))

    def invites(self, name):
        org_id = list_user_orgs(client=self.session).parsed.orgs[0].id
        body = CreateInvitationRequest(email=email_of(name))
        invited = invite(org_id, client=self.session, body=body)
        check(invited.status_code == 201, f"invitation: {invited.status_code} {invited.content!r}")
        return Person(name, invited.parsed.token)

    def creates(self, graph_name, extension, colleague):
        """A graph that the colleague may write to as a member."""
        graph_id = self.clients.graphs.create_graph_and_wait(
            metadata=GraphMetadata(graph_name=graph_name, schema_extensions=[extension]),
            initial_entity=InitialEntityData(name=graph_name, uri=f"https://example.org/{uuid.uuid4().hex}"),
            timeout=120,
        )
        body = AddGraphMemberRequest(user_id=colleague.user_id, role=GraphRole.MEMBER)
        added = add_graph_member(graph_id, client=self.session, body=body)
        check(added.status_code in (200, 201), f"member: {added.status_code} {added.content!r}")
        return graph_id


RUN = uuid.uuid4().hex[:8]


def email_of(name):
    return f"{name.lower()}-{RUN}@example.org"


def keep_books(ledger, graph_id):
    """Capital of 8,000.00, revenue of 3,100.50 and costs of 1,100.50 in April; returns the report of the month."""
    ledger.initialize_ledger(
        graph_id, closed_through="2026-03", earliest_data_period="2026-04", fiscal_year_start_month=1
    )
    ledger.initialize_chart_of_accounts(graph_id, "saas")
    accounts = [each for each in ledger.list_accounts(graph_id).accounts if not each.is_placeholder]
    cash = next(each.id for each in accounts if each.trait == "asset" and "cash" in each.name.lower())
    equity, revenue, expense = (
        next(each.id for each in accounts if each.trait == trait) for trait in ("equity", "revenue", "expense")
    )
    for debit, credit, cents in ((cash, equity, 800_000), (cash, revenue, 310_050), (expense, cash, 110_050)):
        lines = [
            {"element_id": debit, "debit_amount": cents, "credit_amount": 0},
            {"element_id": credit, "debit_amount": 0, "credit_amount": cents},
        ]
        entry = {"posting_date": "2026-04-15", "memo": "April", "status": "posted"}
        ledger.create_journal_entry(graph_id, **entry, line_items=lines)
    [mapping] = ledger.list_mappings(graph_id)
    window = (date(2026, 4, 1), date(2026, 4, 30))
    report = ledger.create_report(
        graph_id, "April 2026", mapping.id, *window, period_type="monthly", comparative=False
    )
    check(report.generation_status == "published", f"report: {report}")
    return report.id


def share(ledger, graph_id, report_id, target):
    listed = ledger.create_publish_list(graph_id, f"Holders {target}")
    ledger.add_publish_list_members(graph_id, listed.id, [target])
    [result] = ledger.share_report(graph_id, report_id, listed.id).results
    check(result.status == "shared" and result.error is None, f"share: {result}")
    return result.fact_count


def hold(investor, graph_id, security):
    """A portfolio of 1,000 shares that cost 5,000.00 and are worth 7,500.00."""
    security_id = investor.create_security(graph_id, {"security_type": "preferred_stock", "terms": {}, **security}).id
    position = {"security_id": security_id, "quantity": 1_000, "cost_basis": 500_000, "current_value": 750_000}
    block = investor.create_portfolio_block(graph_id, {"portfolio": {"name": "Growth"}, "positions": [position]})
    return security_id, block.id


def issuer_of(investor, graph_id, portfolio_id):
    [holding] = investor.get_holdings(graph_id, portfolio_id).holdings
    check(holding.total_cost_basis_dollars == 5_000 and holding.total_current_value_dollars == 7_500, f"{holding}")
    return holding.entity_name


def materialize(person, graph_id):
    """Waits for the refresh of a stale graph that the service may have begun by itself (graphs M-2, M-33)."""
    deadline = time.monotonic() + 120
    result = person.clients.graphs.materialize(graph_id)
    while not result.success and "already in progress" in str(result.message) and time.monotonic() < deadline:
        time.sleep(0.5)
        result = person.clients.graphs.materialize(graph_id)
    check(result.success, f"materialize: {result.message}")


def return_on_equity(rows):
    """Net income divided by equity, exactly, from the rows of a query."""
    values = {row["concept"]: Decimal(str(row["value"])) for row in rows}
    check(len(values) == 2, f"cypher: {rows}")
    return str(values["rs-gaap:NetIncomeLoss"] / values["rs-gaap:StockholdersEquity"])


def main():
    ada, bo = Person("Ada"), Person("Bo")
    abe, cy = ada.invites("Abe"), bo.invites("Cy")
    books = ada.creates("Northwind Inc", "roboledger", abe)
    first, second = (bo.creates(name, "roboinvestor", cy) for name in ("First Fund", "Second Fund"))
    step("people", graphs=len({books, first, second}))
    report_id = keep_books(abe.clients.ledger, books)
    step("report")

    # The holder names the issuer before it has shared anything.
    investor = cy.clients.investor
    security = {"name": "Northwind Series A", "source_graph_id": books}
    _, portfolio_id = hold(investor, first, security)
    check(issuer_of(investor, first, portfolio_id) == "Unlinked Securities", "the issuer is known too early")
    facts = share(abe.clients.ledger, books, report_id, first)
    check(issuer_of(investor, first, portfolio_id) == "Northwind Inc", "the share did not link the security")
    step("security first", facts=facts > 10)

    # The issuer has shared before the holder names it.
    share(abe.clients.ledger, books, report_id, second)
    security_id, other_id = hold(investor, second, {"name": "Northwind Series B"})
    check(issuer_of(investor, second, other_id) == "Unlinked Securities", "a security without a source was linked")
    investor.update_security(second, security_id, {"source_graph_id": books})
    check(issuer_of(investor, second, other_id) == "Northwind Inc", "the update did not link the security")
    step("report first")

    path = f"(r:Report)-[:REPORT_HAS_FACT]->(f:Fact)-[:FACT_HAS_ELEMENT]->(c:Element) WHERE c.qname IN [{CONCEPTS}]"
    held = "(p:Portfolio)-[:PORTFOLIO_HAS_POSITION]->(x:Position)-[:POSITION_IN_SECURITY]->(s:Security)"
    values = "c.qname AS concept, f.numeric_value AS value"
    for fund, name in ((first, "Northwind Series A"), (second, "Northwind Series B")):
        materialize(bo, fund)
        rows = cy.clients.query.query(
            fund,
            f"MATCH {held}<-[:ENTITY_ISSUES_SECURITY]-(e:Entity)-[:ENTITY_HAS_REPORT]->{path} "
            f"RETURN DISTINCT x.quantity AS quantity, s.name AS security, e.name AS issuer, {values}",
        ).data
        found = {(row["quantity"], row["security"], row["issuer"]) for row in rows}
        check(found == {(1_000, name, "Northwind Inc")}, f"cypher: {rows}")
        step("holder", return_on_equity=return_on_equity(rows))
    materialize(ada, books)
    rows = abe.clients.query.query(
        books, f"MATCH (e:Entity)-[:ENTITY_HAS_REPORT]->{path} RETURN DISTINCT {values}"
    ).data
    step("issuer", return_on_equity=return_on_equity(rows))

    # Nobody reads the graph of the other organization.
    for person, graph_id in ((ada, first), (abe, second), (bo, books), (cy, books)):
        try:
            person.clients.query.query(graph_id, "MATCH (n) RETURN count(n) AS n")
        except Exception as error:
            check("403" in str(error) or "404" in str(error) or "access" in str(error).lower(), f"refusal: {error}")
        else:
            raise AssertionError("a graph of another organization was read")
    step("done")


if __name__ == "__main__":
    main()
