"""The published Python client with documents, search and memory. Prints one line of JSON for each step.

Usage: python python_texts_run.py BASE_URL API_KEY FOLDER
"""

import json
import sys
from pathlib import Path

from robosystems_client import AuthenticatedClient
from robosystems_client.api.content_operations.forget import sync_detailed as forget
from robosystems_client.api.content_operations.remember import sync_detailed as remember
from robosystems_client.api.content_operations.update_memory import sync_detailed as update_memory
from robosystems_client.api.memory.get_memory import sync_detailed as get_memory
from robosystems_client.api.memory.list_memories import sync_detailed as list_memories
from robosystems_client.api.memory.recall_memory import sync_detailed as recall_memory
from robosystems_client.api.search.search_documents import sync_detailed as search_documents
from robosystems_client.clients import (
    GraphMetadata,
    InitialEntityData,
    RoboSystemsClientConfig,
    RoboSystemsClients,
)
from robosystems_client.models import (
    ForgetOp,
    MemoryRecallRequest,
    RememberOp,
    SearchRequest,
    UpdateMemoryOp,
)

POLICY = """---
tags: close, policy
folder: policies
---
# Bank
Every bank account is reconciled by the third working day of the month. Differences under ten euros are written off, and
larger ones are investigated by the controller.
# Fixed assets
Assets are counted in November. Depreciation runs straight-line over the useful life that the register of assets states
for each class of them, from the month after the asset is ready for use.
"""
MEMO = "The office lease runs for five years and cannot be terminated early by either of the two parties."


def step(name, **facts):
    print(json.dumps({"step": name, **facts}), flush=True)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def store(documents, graph_id, folder):
    """Stores a document by its text and two by their files, and reads them."""
    stored = documents.upload(graph_id, "Close policy", POLICY, external_id="policies/close")
    check(stored.status == "completed", f"upload: {stored}")
    policy = stored.result["document_id"]
    again = documents.upload(graph_id, "Close policy", POLICY, external_id="policies/close")
    check(again.result["document_id"] == policy, f"upload: the same external id stored {again.result}")
    (Path(folder) / "lease-memo.md").write_text(MEMO)
    (Path(folder) / "rent_memo.md").write_text(MEMO.replace("office", "warehouse"))
    files = documents.upload_directory(graph_id, folder, folder="memos")
    found = documents.get(graph_id, policy)
    check(found.content == POLICY and found.title == "Close policy", f"get: {found}")
    check(found.tags == ["close", "policy"] and found.folder == "policies", f"get: wrong tags or folder in {found}")
    check(documents.get(graph_id, stored.result["id"]).content == POLICY, "get: the id of the row was not found")
    check(documents.get(graph_id, "doc_none") is None, "get: an unknown document was found")
    listed = documents.list(graph_id, source_type="uploaded_doc")
    check(listed.total == 3, f"list: {listed}")
    step("documents", files=len(files), titles=sorted(each.document_title for each in listed.documents))
    return policy


def search(documents, client, graph_id):
    """Finds sections by words and by meaning, and reads one."""
    words = documents.search(graph_id, "bank differences")
    check(words.hits[0].section_label == "Bank" and words.hits[0].snippet, f"search: {words}")
    section = documents.get_section(graph_id, words.hits[0].document_id)
    check("third working day" in section.content, f"section: {section}")
    check(documents.get_section(graph_id, "sec_none") is None, "section: an unknown one was found")
    everywhere = documents.search(graph_id, "the")
    filtered = documents.search(graph_id, "the", section="fixed-assets", source_type="uploaded_doc")
    check([hit.section_label for hit in filtered.hits] == ["Fixed assets"], f"search: the filter gave {filtered}")
    # None of these words is in a document, so only their meaning can find one.
    query = "rental contract, commercial property"
    check(documents.search(graph_id, query).total == 0, "search: a word of the question is in a document")
    body = SearchRequest(query=query, semantic=True)
    meaning = search_documents(graph_id, client=client, body=body)
    check(meaning.status_code == 200 and "Memo" in meaning.parsed.hits[0].document_title, f"search: {meaning}")
    step("search", everywhere=everywhere.total, filtered=filtered.total)


def change(documents, graph_id, policy):
    """Changes a document and deletes it."""
    content = "# Cash\n" + MEMO.replace("office lease", "float")
    documents.update(graph_id, policy, title="Closing policy", content=content)
    changed = documents.get(graph_id, policy)
    check(changed.title == "Closing policy" and changed.folder == "policies", f"update: {changed}")
    check(documents.search(graph_id, "depreciation").total == 0, "update: the former text is still found")
    check(documents.search(graph_id, "float").total == 1, "update: the new text is not found")
    check(documents.delete(graph_id, policy) is True, "delete: it was not found")
    check(documents.delete(graph_id, policy) is False, "delete: a deleted document was found again")
    check(documents.search(graph_id, "float").total == 0, "delete: the text is still found")
    try:
        documents.upload(graph_id, "Empty", "")
    except Exception as error:  # The facade raises a plain Exception.
        check("422" in str(error), f"upload: expected 422 for an empty text, got {error}")
    else:
        raise AssertionError("upload: an empty text was stored")
    step("changes", left=documents.list(graph_id).total)


def remember_and_forget(client, graph_id):
    """Stores, recalls, corrects and forgets a memory."""
    text = "Harbour Supplies invoices in euros, due after 14 days."
    stored = remember(graph_id, client=client, body=RememberOp(text=text, memory_type="fact", tags=["invoices"]))
    check(stored.status_code == 200, f"remember: {stored.status_code} {stored.content!r}")
    memory = stored.parsed.result["id"]
    secret = remember(graph_id, client=client, body=RememberOp(text="The password is Tr0ub4dor&3."))
    check(secret.status_code == 422, f"remember: a password was answered with {secret.status_code}")
    other = remember(graph_id, client=client, body=RememberOp(text="The auditors arrive in November."))
    recalled = recall_memory(graph_id, client=client, body=MemoryRecallRequest(query="when are invoices due?", k=1))
    check([hit.document_id for hit in recalled.parsed.hits] == [memory], f"recall: {recalled}")
    forget(graph_id, client=client, body=ForgetOp(memory_id=other.parsed.result["id"]))
    corrected = text.replace("14", "30")
    updated = update_memory(graph_id, client=client, body=UpdateMemoryOp(memory_id=memory, text=corrected))
    check(updated.status_code == 200, f"update: {updated.status_code} {updated.content!r}")
    read = get_memory(graph_id, memory, client=client).parsed
    check(read.text == corrected and read.tags == ["invoices"], f"get: {read}")
    listed = list_memories(graph_id, client=client, memory_type="fact").parsed
    check([each.id for each in listed.memories] == [memory], f"list: {listed}")
    forgotten = forget(graph_id, client=client, body=ForgetOp(memory_id=memory))
    check(forgotten.status_code == 200, f"forget: {forgotten.status_code} {forgotten.content!r}")
    check(get_memory(graph_id, memory, client=client).status_code == 404, "forget: the memory can still be read")
    step("memory", left=list_memories(graph_id, client=client).parsed.total)


def main():
    base_url, key, folder = sys.argv[1:]
    config = RoboSystemsClientConfig(base_url=base_url, headers={"X-API-Key": key})
    clients = RoboSystemsClients(config)
    documents = clients.documents
    graph_id = clients.graphs.create_graph_and_wait(
        GraphMetadata(graph_name="Texts"),
        InitialEntityData(name="Harbour Lantern Ltd", uri="https://example.org/harbour"),
    )
    client = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key")
    policy = store(documents, graph_id, folder)
    search(documents, client, graph_id)
    change(documents, graph_id, policy)
    remember_and_forget(client, graph_id)


if __name__ == "__main__":
    main()
