import { ofGraph, ofKernel } from './tables.ts';

export const page =
  'CREATE TABLE diary_page (graph_id text NOT NULL, id integer NOT NULL, text text, PRIMARY KEY (graph_id, id));';
export const isolated = `${page} ${ofGraph('diary_page')}`;
const ownGraph = `CREATE POLICY own_graph ON diary_page USING (graph_id = current_setting('pacioli.graph_id', true));`;

/** Tables of the kernel and of another plugin, which the plugin under test must not touch. */
export const neighbors = {
  library: `CREATE TABLE library_book (graph_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (graph_id, id));
    ${ofGraph('library_book')}
    CREATE FUNCTION library_count() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM library_book';
    CREATE SEQUENCE library_number;`,
  kernel: `CREATE TABLE kernel_person (id integer PRIMARY KEY); ${ofKernel('kernel_person')}`,
};

/** A migration of the plugin `diary` and a part of its error: the table, the fault and the statement that fixes it. */
export const leaks: readonly (readonly [title: string, text: string, message: string])[] = [
  [
    'a table without row-level security',
    page,
    'The table diary_page of the plugin diary does not keep graphs apart: row-level security is off, it is not forced on ' +
      'the owner of the table, and there is no policy. Add to diary/0001-pages.sql: ALTER TABLE diary_page ENABLE ROW ' +
      `LEVEL SECURITY; ALTER TABLE diary_page FORCE ROW LEVEL SECURITY; ${ownGraph}`,
  ],
  [
    'row-level security that is disabled again',
    `${isolated} ALTER TABLE diary_page DISABLE ROW LEVEL SECURITY;`,
    'row-level security is off. Add to diary/0001-pages.sql: ALTER TABLE diary_page ENABLE ROW LEVEL SECURITY;',
  ],
  [
    'row-level security that is not forced',
    `${isolated} ALTER TABLE diary_page NO FORCE ROW LEVEL SECURITY;`,
    'it is not forced on the owner of the table. Add to diary/0001-pages.sql: ALTER TABLE diary_page FORCE ROW LEVEL SECURITY;',
  ],
  [
    'a policy that allows all rows in addition to the correct one',
    `${isolated} CREATE POLICY everything ON diary_page USING (true);`,
    'the policy everything lets rows of other graphs through. Add to diary/0001-pages.sql: DROP POLICY everything ON diary_page;',
  ],
  [
    'a policy whose condition is only one side of an OR',
    `${isolated} CREATE POLICY more ON diary_page USING (id = 1 OR graph_id = current_setting('pacioli.graph_id', true));`,
    'DROP POLICY more ON diary_page;',
  ],
  [
    'a policy that allows writing rows of any graph',
    `${isolated} CREATE POLICY writing ON diary_page FOR INSERT WITH CHECK (true);`,
    'DROP POLICY writing ON diary_page;',
  ],
  [
    'a policy that compares with a function of the plugin instead of the equals operator',
    `CREATE FUNCTION diary_same(a text, b text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
      ${isolated} CREATE POLICY same ON diary_page USING (diary_same(graph_id, current_setting('pacioli.graph_id', true)));`,
    'DROP POLICY same ON diary_page;',
  ],
  [
    'a policy for some roles only',
    `${isolated} ALTER POLICY own_graph ON diary_page TO pacioli_app;`,
    'ALTER POLICY own_graph ON diary_page TO PUBLIC;',
  ],
  [
    'an undeclared policy that lets the kernel read all graphs',
    `${isolated} CREATE POLICY due ON diary_page FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');`,
    `DROP POLICY due ON diary_page; (or declare tables: { diary_page: { kernelScope: 'read' } } in the plugin)`,
  ],
  [
    'a table without graph_id',
    'CREATE TABLE diary_page (id integer PRIMARY KEY);',
    'ALTER TABLE diary_page ADD COLUMN graph_id text NOT NULL; (if its rows are of no graph, declare',
  ],
  [
    'a primary key that does not begin with graph_id',
    `CREATE TABLE diary_page (id integer PRIMARY KEY, graph_id text NOT NULL); ${ofGraph('diary_page')}`,
    'ALTER TABLE diary_page DROP CONSTRAINT diary_page_pkey, ADD PRIMARY KEY (graph_id, id);',
  ],
  [
    'a unique key that spans all graphs',
    `${isolated} CREATE UNIQUE INDEX diary_page_text ON diary_page (text);`,
    'DROP INDEX diary_page_text; CREATE UNIQUE INDEX diary_page_text ON diary_page (graph_id, text);',
  ],
  [
    'a foreign key that may refer to a row of another graph',
    `${isolated} CREATE UNIQUE INDEX diary_page_id ON diary_page (id, graph_id);
      CREATE TABLE diary_note (graph_id text NOT NULL, id integer NOT NULL, of_graph text NOT NULL,
        PRIMARY KEY (graph_id, id), FOREIGN KEY (of_graph, id) REFERENCES diary_page (graph_id, id));
      ${ofGraph('diary_note')}`,
    'its foreign key diary_note_of_graph_id_fkey may refer to a row of another graph. Add to diary/0001-pages.sql: ' +
      'ALTER TABLE diary_note DROP CONSTRAINT diary_note_of_graph_id_fkey;',
  ],
  [
    'an unlogged table',
    `${isolated.replace('CREATE TABLE', 'CREATE UNLOGGED TABLE')}`,
    'ALTER TABLE diary_page SET LOGGED;',
  ],
  [
    'a table that the application role owns',
    `${isolated} ALTER TABLE diary_page OWNER TO pacioli_app;`,
    'ALTER TABLE diary_page OWNER TO CURRENT_USER;',
  ],
  [
    'a view that reads as its owner',
    `${isolated} CREATE VIEW diary_all AS SELECT * FROM diary_page;`,
    'ALTER VIEW diary_all SET (security_invoker = true);',
  ],
  [
    'a materialized view',
    `${isolated} CREATE MATERIALIZED VIEW diary_all AS SELECT * FROM diary_page;`,
    'DROP MATERIALIZED VIEW diary_all;',
  ],
  [
    'a function that runs as the owner of the tables',
    `${isolated} CREATE FUNCTION diary_all() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM diary_page';`,
    'ALTER FUNCTION diary_all() SECURITY INVOKER; (or, when it reads no rows of graphs, declare',
  ],
  [
    'a function that changes the scope of its transaction',
    `${isolated} CREATE FUNCTION diary_peek() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('pacioli.graph_id', 'kg1', true); RETURN (SELECT count(*) FROM diary_page); END $$;`,
    'it changes the scope of the transaction that calls it. Add to diary/0001-pages.sql: DROP FUNCTION diary_peek();',
  ],
  [
    'a function that is declared with another scope',
    `${isolated} CREATE FUNCTION diary_peek() RETURNS bigint LANGUAGE sql SET pacioli.graph_id = 'kg1'
      AS 'SELECT count(*) FROM diary_page';`,
    'DROP FUNCTION diary_peek();',
  ],
  [
    'a rule',
    `${isolated} CREATE RULE diary_copy AS ON INSERT TO diary_page DO ALSO NOTIFY diary;`,
    'DROP RULE diary_copy ON diary_page;',
  ],
  [
    'a partition without its own policies',
    `CREATE TABLE diary_page (graph_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (graph_id, id)) PARTITION BY LIST (id);
      ${ofGraph('diary_page')} CREATE TABLE diary_page_one PARTITION OF diary_page FOR VALUES IN (1);`,
    'The table diary_page_one of the plugin diary does not keep graphs apart: row-level security is off',
  ],
];

/** A migration that changes objects outside of the plugin `diary`, and the expected message. */
export const violations: readonly (readonly [title: string, text: string, message: string])[] = [
  [
    'writes to a table of another plugin',
    `INSERT INTO library_book VALUES ('kg1', 1);`,
    'it writes to library_book, which belongs to library',
  ],
  ['reads a table of another plugin', 'SELECT * FROM library_book;', 'it reads library_book, which belongs to library'],
  ['empties a table of another plugin', 'TRUNCATE library_book;', 'it alters library_book, which belongs to library'],
  [
    'drops a table of another plugin',
    'DROP TABLE library_book CASCADE;',
    'it drops library_book, which belongs to library',
  ],
  [
    'alters a table of the kernel',
    'ALTER TABLE kernel_person ADD COLUMN mood text;',
    'it alters kernel_person, which belongs to kernel',
  ],
  [
    'disables row-level security of the kernel',
    'ALTER TABLE kernel_person DISABLE ROW LEVEL SECURITY;',
    'it alters kernel_person, which belongs to kernel',
  ],
  [
    'adds a policy to a table of another plugin',
    'CREATE POLICY open ON library_book USING (true);',
    'it alters library_book',
  ],
  [
    'adds a trigger to a table of another plugin',
    `CREATE FUNCTION diary_spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER diary_spy BEFORE INSERT ON library_book FOR EACH ROW EXECUTE FUNCTION diary_spy();`,
    'it alters library_book',
  ],
  [
    'adds an index to a table of another plugin',
    'CREATE INDEX diary_index ON library_book (id);',
    'it alters library_book',
  ],
  [
    'inherits from a table of the kernel',
    `CREATE TABLE diary_person () INHERITS (kernel_person);`,
    'it alters kernel_person',
  ],
  [
    'refers to a table of the kernel',
    `CREATE TABLE diary_person (graph_id text, id integer REFERENCES kernel_person, PRIMARY KEY (graph_id, id)); ${ofGraph('diary_person')}`,
    'it alters kernel_person',
  ],
  [
    'grants a table of another plugin',
    'GRANT ALL ON library_book TO PUBLIC;',
    'it alters library_book, which belongs to library',
  ],
  [
    'replaces a function of another plugin',
    `CREATE OR REPLACE FUNCTION library_count() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint';`,
    'it alters library_count, which belongs to library',
  ],
  [
    'drops a function of another plugin',
    'DROP FUNCTION library_count();',
    'it drops library_count, which belongs to library',
  ],
  [
    'uses a sequence of another plugin',
    `SELECT nextval('library_number');`,
    'it writes to library_number, which belongs to library',
  ],
  [
    'renames its own table to a name of another plugin',
    `${isolated} ALTER TABLE diary_page RENAME TO library_page;`,
    'it creates library_page, whose name does not begin with diary_',
  ],
  [
    'creates a table without the name prefix of the plugin',
    'CREATE TABLE pages (id integer);',
    'it creates pages, whose name does not begin with diary_',
  ],
  ['creates a schema', 'CREATE SCHEMA diary;', 'it creates schema diary, which affects other plugins'],
  [
    'creates a cast',
    `CREATE TYPE diary_mood AS ENUM ('good'); CREATE CAST (diary_mood AS date) WITH INOUT AS IMPLICIT;`,
    'it creates cast from diary_mood to date',
  ],
  [
    'changes the default privileges',
    'ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;',
    'it creates default privileges',
  ],
  [
    'leaves a temporary table',
    'CREATE TEMPORARY TABLE diary_page (id integer);',
    'it leaves a temporary table; end it with DROP TABLE pg_temp.diary_page',
  ],
  [
    'writes inside a block with an exception handler',
    `DO $$ BEGIN INSERT INTO kernel_person VALUES (1); EXCEPTION WHEN division_by_zero THEN NULL; END $$;`,
    'it writes to kernel_person',
  ],
  [
    'changes the search path before it reads',
    `SET search_path = pg_catalog; SELECT * FROM public.kernel_person;`,
    'it reads kernel_person',
  ],
  [
    'ends its transaction',
    'COMMIT; ALTER TABLE kernel_person DISABLE ROW LEVEL SECURITY; BEGIN;',
    'Remove BEGIN, COMMIT, ROLLBACK and SAVEPOINT from the file.',
  ],
];
