import { type CatalogTable, isGraphStoreError } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { listTables } from './table-procedures.ts';

const catalog: readonly CatalogTable[] = [
  { kind: 'node', name: 'A', key: 'id', columns: [{ name: 'id', type: 'STRING' }] },
  { kind: 'relationship', name: 'A_TO_A', from: 'A', to: 'A', columns: [] },
];

describe('catalog procedures of the embedded engine (graphs Q-53)', () => {
  it('are replaced by lists with the same columns, renamed by YIELD', () => {
    expect(listTables("CALL table_info('A') RETURN *", catalog)).toBe(
      "UNWIND [{`property id`: 0, `name`: 'id', `type`: 'STRING', `default expression`: 'NULL', `primary key`: true}] AS row " +
        'WITH row.`property id` AS `property id`, row.`name` AS `name`, row.`type` AS `type`, ' +
        'row.`default expression` AS `default expression`, row.`primary key` AS `primary key` ' +
        'RETURN `property id` AS `property id`, `name` AS `name`, `type` AS `type`, ' +
        '`default expression` AS `default expression`, `primary key` AS `primary key`',
    );
    expect(listTables('CALL SHOW_TABLES() YIELD name AS table', catalog)).toMatch(/ WITH name AS table RETURN \*$/);
    expect(listTables("CALL table_info('A_TO_A') RETURN name", catalog)).toMatch(
      / AS row WITH row WHERE false WITH row/,
    );
  });

  it.each([
    [
      'CALL db_version() RETURN *',
      'catalog: db_version is not available here. Statements cannot read the version of the graph engine',
    ],
    ['CALL show_functions() RETURN *', 'catalog: show_functions is not available here.'],
    ['CALL show_warnings() RETURN *', 'catalog: show_warnings is not available here. The result of materialize'],
    ["CALL table_info('B') RETURN *", 'bind: This graph has no table B.'],
    [
      'CALL table_info() RETURN *',
      "bind: table_info takes the name of a table, as a value instead of a parameter: table_info('Entity').",
    ],
    ["CALL show_connection('A') RETURN *", 'bind: A is a node type: show_connection takes a relationship type.'],
  ])('are refused without an equivalent or a table: %s', (text, message) => {
    let failure = '';
    try {
      listTables(text, catalog);
    } catch (error) {
      if (!isGraphStoreError(error)) throw error;
      failure = `${error.code}: ${error.message}`;
    }
    expect(failure).toContain(message);
  });

  it('leaves other statements as they are', () => {
    const text = "MATCH (n) WHERE n.name = 'CALL show_tables()' RETURN n";
    expect(listTables(text, catalog)).toBe(text);
  });
});
