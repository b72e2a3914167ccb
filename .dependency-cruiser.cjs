/** Which folder may import which (house rules; `npm run check` enforces them). */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');

// Without the compiler's JavaScript interface the cruiser skips every TypeScript file and finds nothing wrong.
const cruiser = realpathSync(`${__dirname}/node_modules/dependency-cruiser`);
const compiler = createRequire(`${cruiser}/package.json`)('typescript');
if (typeof compiler.transpileModule !== 'function') {
  throw new Error(
    `Boundaries cannot be checked with TypeScript ${compiler.version}; see packageExtensions in pnpm-workspace.yaml.`,
  );
}

const ours = '^(core|plugins|hosts|conformance|benchmarks)/';

/** Modules of the packages that have them, from the lowest to the highest: each may use those before it. */
const modules = {
  'plugins/ledger/src': [
    'values',
    'announcements',
    'parties',
    'accounts',
    'balances',
    'journal',
    'open-items',
    'event-blocks',
    'bookkeeping',
    'close',
    'schedules',
    'edits',
    'reconciling',
    'rollforwards',
    'log',
  ],
  'plugins/billing/src': ['payments', 'subscriptions', 'checkout', 'invoices', 'local', 'lifecycle'],
  'plugins/blocks/src': ['values', 'projection', 'facts', 'rules', 'texts', 'envelopes'],
  'plugins/connections/src': ['external-systems', 'connections'],
  'plugins/investor/src': [
    'values',
    'terms',
    'securities',
    'positions',
    'portfolios',
    'holdings',
    'holdings-page',
    'imports',
  ],
  'plugins/memory/src': ['texts', 'vectors', 'memories'],
  'plugins/mcp/src': ['protocol', 'authorization', 'tasks', 'server', 'listen', 'endpoint'],
  'plugins/graph/src': [
    'cypher',
    'schema',
    'subgraphs',
    'files',
    'changes',
    'generations',
    'usage',
    'health',
    'backups',
    'bundles',
    'refresh',
    'removal',
  ],
  'plugins/operators/src': [
    'metered',
    'tools',
    'offline',
    'catalog',
    'tool-loop',
    'prompts',
    'built-in',
    'requests',
    'running',
  ],
  'plugins/reporting/src': [
    'cash-flow',
    'statements',
    'statement-facts',
    'metrics',
    'serialization/bundle',
    'serialization/json-ld',
    'serialization/shapes',
    'serialization/zip',
    'serialization/documents',
    'serialization/xbrl',
    'serialization/downloads',
    'reports',
    'distribution',
    'fact-grids',
    'report-sections',
    'closed-months',
    'forecasts',
  ],
  'plugins/search/src': ['documents', 'indexing', 'searching', 'writing'],
  'plugins/taxonomy/src': [
    'values',
    'vocabulary',
    'projection',
    'expressions',
    'library',
    'checks',
    'charts',
    'blocks',
    'mapping',
    'library-upgrades',
  ],
};

/** Areas of the kernel, from the lowest to the highest: each may use those before it. `core/README.md` explains them. */
const areas = [
  'store',
  'container',
  'texts',
  'errors',
  'schema',
  'settings',
  'define',
  'graphql',
  'services',
  'models',
  'events',
  'chain',
  'secrets',
  'mail',
  'files',
  'graph-schema',
  'metrics',
  'audit',
  'limits',
  'auth',
  'tenancy',
  'usage',
  'credits',
  'own-identity',
  'envelope',
  'jobs',
  'sse',
  'tool-catalog',
  'identity',
  'operations',
  'queries',
  'routes',
  'tools',
  'assembly',
];

const orderRules = Object.entries({ 'core/src': areas, ...modules }).flatMap(([folder, names]) =>
  names.slice(0, -1).map((name, index) => ({
    name: `${folder}-${name}-uses-lower-modules`,
    severity: 'error',
    from: { path: `^${folder}/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${folder}/(${names.slice(index + 1).join('|')})/` },
  })),
);

const indexRules = Object.entries(modules).flatMap(([folder, names]) =>
  names.map((name) => ({
    name: `${folder}-${name}-by-its-index`,
    severity: 'error',
    // Tokens import types from the files that define them: an index leads back to contributions that use the tokens.
    from: { path: `^${folder}/`, pathNot: [`^${folder}/${name}/`, `^${folder}/[^/]*tokens\\.ts$`, '\\.test\\.ts$'] },
    to: { path: `^${folder}/${name}/`, pathNot: `^${folder}/${name}/index\\.ts$` },
  })),
);

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circles-of-types',
      comment: 'Types lead readers as imports do: in a circle no file can be understood first.',
      severity: 'error',
      from: { path: ours, pathNot: '\\.test\\.ts$' },
      to: { circular: true },
    },
    {
      name: 'core-knows-nobody',
      severity: 'error',
      from: { path: '^core/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(plugins|hosts|conformance)/' },
    },
    {
      name: 'kernel-knows-identity-by-its-ports',
      comment:
        'The ports are in core/src/auth, so that a host can bring an identity of its own; assembly has the default.',
      severity: 'error',
      from: { path: '^core/src/', pathNot: ['^core/src/(identity|assembly)/', '\\.test\\.ts$'] },
      to: { path: '^core/src/identity/' },
    },
    {
      name: 'assembly-knows-identity-by-its-index',
      severity: 'error',
      from: { path: '^core/src/assembly/', pathNot: '\\.test\\.ts$' },
      to: { path: '^core/src/identity/', pathNot: '^core/src/identity/index\\.ts$' },
    },
    {
      name: 'core-has-no-http-or-database-client',
      severity: 'error',
      from: { path: '^core/src/' },
      to: { path: 'node_modules/(koa|@koa|pg|@electric-sql|@ladybugdb|@duckdb)/' },
    },
    {
      name: 'one-door-tsyringe',
      severity: 'error',
      from: { path: ours, pathNot: '^core/src/container/container\\.ts$' },
      to: { path: 'node_modules/tsyringe/' },
    },
    {
      name: 'one-door-ajv',
      severity: 'error',
      from: { path: ours, pathNot: '^(core/src/schema/validate\\.ts$|conformance/)' },
      to: { path: 'node_modules/ajv/' },
    },
    {
      name: 'one-door-graphql',
      severity: 'error',
      from: { path: ours, pathNot: '^(core/src/graphql/|conformance/)' },
      to: { path: 'node_modules/graphql(-compose)?/' },
    },
    {
      name: 'one-door-temporal',
      severity: 'error',
      from: { path: ours, pathNot: '^core/src/calendar\\.ts$' },
      to: { path: 'node_modules/temporal-' },
    },
    {
      name: 'one-door-rdf',
      comment: 'They are slow to load and to run, so that the service itself loads none of them.',
      severity: 'error',
      from: {
        path: '^plugins/[^/]+/src/',
        pathNot: '^plugins/reporting/src/serialization/shapes/shapes-worker\\.mjs$',
      },
      to: { path: 'node_modules/(jsonld|n3|rdf-validate-shacl)/' },
    },
    {
      name: 'one-door-koa',
      severity: 'error',
      from: { path: ours, pathNot: '^(hosts/koa/|hosts/examples/|benchmarks/)' },
      to: { path: 'node_modules/(koa|@koa)/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/src/domain/', pathNot: '\\.test\\.ts$' },
      to: {
        path: ['^plugins/', '^core/', '^hosts/'],
        pathNot: [
          '^plugins/$1/src/(domain|models)/',
          '^plugins/taxonomy/src/public-expressions\\.ts$',
          '^core/src/(index|ports|calendar)\\.ts$',
        ],
      },
    },
    {
      name: 'parts-do-not-reach-into-the-store',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/src/(operations|views|queries|routes|jobs|tools)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^plugins/[^/]+/src/store/' },
    },
    {
      name: 'plugins-know-other-plugins-by-their-index',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: {
        path: '^plugins/([^/]+)/src/',
        pathNot: ['^plugins/$1/', '^plugins/[^/]+/src/(index|public-expressions)\\.ts$'],
      },
    },
    {
      name: 'plugins-know-no-host',
      severity: 'error',
      from: { path: '^plugins/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(hosts|conformance)/' },
    },
    {
      name: 'drivers-know-no-plugin',
      severity: 'error',
      from: { path: '^hosts/drivers/' },
      // The port of payments belongs to the plugin that charges: its drivers see that plugin's public face and suite. The
      // suite of language models stands with the plugin that uses them.
      to: {
        path: '^plugins/',
        pathNot: '^plugins/(billing/src/(index|testing/describe-payment-port)|operators/src/testing/index)\\.ts$',
      },
    },
    {
      name: 'koa-host-knows-no-plugin',
      severity: 'error',
      from: { path: '^hosts/koa/' },
      to: { path: '^(plugins|hosts/drivers)/' },
    },
    {
      name: 'conformance-speaks-http',
      comment: 'Except the suite of a plugin, which also tries its tables on a store.',
      severity: 'error',
      from: { path: '^conformance/src/', pathNot: '(^conformance/src/plugin-suite/|(\\.test\\.ts|vitest\\.ts)$)' },
      to: { path: '^(core|plugins|hosts)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mcp-package-is-loaded-on-demand',
      comment: 'The package of the protocol takes 10 MB: only `endpoint-on-demand.ts` loads it and what uses it.',
      severity: 'error',
      from: {
        path: '^plugins/mcp/src/((authorization|commands|jobs|protocol|routes)/|endpoint/(endpoint-on-demand|index|not-allowed)\\.ts$|[^/]+\\.ts$)',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^plugins/mcp/src/((listen|server|tasks)/|endpoint/(create-endpoint|exchange|mcp-endpoint)\\.ts$)|@modelcontextprotocol/server',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'running-needs-no-development-packages',
      comment:
        '`npm start` compiles these with what it installs; tsconfig.testing.json has what packages give to tests.',
      severity: 'error',
      from: {
        path: '^(core|plugins/(?!template)[^/]+|hosts/(koa|standalone|drivers/[^/]+)|conformance)/(src|cases)/',
        pathNot: [
          '\\.test\\.ts$',
          '/src/(testing|suite|plugin-suite|test-programs)/',
          '/src/(testing|describe-store|postgres-server|vitest)\\.ts$',
        ],
      },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'kernel-areas-are-in-the-order',
      comment: 'A new folder of core/src gets a place in the list of areas above.',
      severity: 'error',
      from: { path: '^core/src/' },
      to: { path: '^core/src/[^/]+/', pathNot: `^core/src/(${areas.join('|')})/` },
    },
    ...orderRules,
    ...indexRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Our own compiled files; many packages are served from a folder of this name, which the rules must see.
    exclude: { path: [`${ours}.*dist/`, '(^|/)node_modules/\\.cache/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@pacioli/source', 'import', 'node', 'default'],
    },
  },
};
