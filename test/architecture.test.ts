import { globSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin, stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { describe, expect, test } from 'vitest';
import { bundleWorkflows } from '#worker/bundle.ts';

/**
 * Says which files may import which. Names are those of the import lines without `#`. What Node provides is `node/…`, and a package
 * is `npm/…`. Only the first rule whose `files` match applies. Imports in `values` are allowed, and imports in `types` only for
 * their types. All other imports, and all in `never`, are refused.
 */
type Rule = { files: string; values: string[]; types?: string[]; never?: string[] };

const plainContract = 'contract/{enums,limits,time,workflows}.ts';

const documentReader = 'activities/checks/document/reader.ts';
const documentMasker = 'activities/checks/document/masking/masker.ts';
const pictureLooker = 'activities/checks/document/quick/looker.ts';
const faceComparer = 'activities/checks/face/comparer.ts';
const livenessMeasurer = 'activities/checks/liveness/measurer.ts';
const incomeReader = 'activities/checks/income/reader.ts';
const bsn = 'activities/checks/document/masking/bsn.ts';
const fewAtOnce = 'activities/checks/document/few-at-once.ts';
const textNetworks = 'activities/checks/networks/text-networks.ts';

const rules: Rule[] = [
  // `npm start`, the commands and the tests use all parts, so they may import everything.
  { files: '{worker/{standalone,commands}/**,test/**,vitest.config.ts}', values: ['**'] },
  // Programs of production must not import `worker/standalone`, which starts the servers of `npm start`.
  { files: '{api/main.ts,worker/**}', values: ['**'], never: ['worker/standalone/**'] },
  // Workflows load these files, so the files may import only each other.
  { files: plainContract, values: [plainContract] },
  { files: 'contract/**', values: ['contract/**', 'npm/zod'] },
  // Who may do what needs the roles. No workflow asks it.
  { files: 'policy/rights.ts', values: ['contract/{enums,members}.ts'] },
  { files: 'policy/**', values: ['policy/**', plainContract], types: ['contract/**'] },
  { files: 'platform/**', values: ['platform/**', 'contract/**', 'node/**', 'npm/**'] },
  {
    files: 'store/**',
    values: [
      'store/**',
      'contract/**',
      'platform/**',
      'node/**',
      'npm/@mikro-orm/*',
      'npm/kysely',
      'npm/pg-connection-string',
    ],
  },
  {
    files: 'services/**',
    values: ['services/**', 'contract/**', 'policy/**', 'platform/**', 'store/**', 'node/**'],
    // No verb opens the parts of a process. It is given a context.
    never: ['services/parts.ts'],
  },
  // This process has the secrets, so it must not open a picture or a paper itself.
  ...[documentReader, documentMasker, pictureLooker, faceComparer, livenessMeasurer, incomeReader].map(
    (files) => ({
      files,
      values: [
        ...[fewAtOnce, textNetworks, 'contract/**', 'platform/{json.ts,isolated/**}'],
        ...['node/**', 'npm/zod'],
      ],
      types: ['activities/checks/port.ts', 'platform/**'],
    }),
  ),
  { files: fewAtOnce, values: ['platform/isolated/**'], types: ['platform/**'] },
  // The rest of the folders is the programs that examine and mask a document, compare faces and measure movements. They run isolated.
  {
    files: 'activities/checks/{opened.ts,{document,face,liveness,networks}/**}',
    values: [
      ...['activities/checks/**', 'contract/**', 'node/**'],
      'platform/{isolated/serve.ts,pictures/picture.ts}',
      'npm/{mrz,onnxruntime-node,protobufjs,sharp,zxing-wasm}',
    ],
    never: [documentReader, documentMasker, pictureLooker, faceComparer, livenessMeasurer, fewAtOnce],
  },
  // Judges facts and opens nothing, so that the same facts always give the same judgement.
  {
    files: 'activities/checks/income/judging/**',
    values: ['activities/checks/income/judging/**', bsn, 'contract/time.ts'],
    types: ['contract/**'],
  },
  // The program that reads papers and judges them. It runs isolated.
  {
    files: 'activities/checks/income/**',
    values: [
      ...[
        'activities/checks/income/{reading,judging}/**',
        bsn,
        'contract/**',
        'platform/isolated/serve.ts',
        'node/**',
      ],
      'npm/{@hyzyla/pdfium,@peculiar/asn1-cms,@peculiar/asn1-schema,sharp}',
    ],
  },
  // The programs that read an answer of a bank. They run isolated, and hold no key of ours.
  {
    files: 'activities/eid/idin/isolated/**',
    values: [
      ...['activities/eid/**', 'platform/isolated/serve.ts', 'node/**'],
      'npm/{@xmldom/xmldom,libxml2-wasm,xml-crypto}',
    ],
  },
  // This process has the keys, so it must not open an answer itself. It parses only what it wrote, to sign it.
  {
    files: 'activities/eid/**',
    values: [
      ...['activities/eid/*.ts', 'activities/eid/idin/*.ts', 'contract/**', 'platform/**'],
      ...['node/**', 'npm/{undici,xml-crypto,zod}'],
    ],
    types: ['activities/eid/idin/isolated/**'],
  },
  {
    files: 'activities/**',
    values: [
      ...['activities/**', 'contract/**', 'policy/**', 'platform/**', 'services/**'],
      ...['node/**', 'npm/@temporalio/activity'],
    ],
    types: ['npm/@temporalio/worker'],
  },
  {
    files: 'workflows/**',
    values: ['workflows/**', 'policy/**', 'contract/workflows.ts', 'npm/@temporalio/workflow'],
    types: ['activities/**', 'contract/**'],
  },
  {
    files: 'api/**',
    values: ['api/**', 'contract/**', 'policy/rights.ts', 'platform/**', 'services/**', 'node/**', 'npm/**'],
    never: ['npm/@mikro-orm/**', 'npm/@temporalio/**', 'npm/kysely'],
  },
];

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const files = globSync('{api,workflows,activities,worker,shared,test}/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules'],
});
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8');

await init;

type Import = { specifier: string; typeOnly: boolean };

/** An import that remains after the types are stripped is loaded. Every other import of the source is for types only. */
function importsOf(source: string): Import[] {
  const [left] = parse(stripTypeScriptTypes(source));
  const loaded = left.flatMap(({ n, t }) => (t === importMeta ? [] : [n ?? 'a computed name']));
  const named = [...source.matchAll(/\b(?:from\s*|import\s*\(?\s*)'([^'\n]+)'/g)].map(
    ([, name = '']) => name,
  );
  const onlyNamed = named.filter((name) => !loaded.includes(name));
  return [
    ...loaded.map((specifier) => ({ specifier, typeOnly: false })),
    ...onlyNamed.map((specifier) => ({ specifier, typeOnly: true })),
  ];
}

const importMeta = 3;

const nameOf = (path: string) => path.replace(/^shared\//, '');
const isRelative = (specifier: string) => specifier.startsWith('.');

/** Returns the name of an import in the form that the rules use. */
function targetOf(file: string, specifier: string): string {
  if (isRelative(specifier)) return nameOf(posix.join(posix.dirname(file), specifier));
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (isBuiltin(specifier)) return `node/${specifier.replace(/^node:/, '')}`;
  const [scope = '', name] = specifier.split('/');
  return `npm/${scope.startsWith('@') ? `${scope}/${name}` : scope}`;
}

const matches = (target: string, patterns: string[] = []) =>
  patterns.some((pattern) => posix.matchesGlob(target, pattern));

function violations(file: string, source: string): string[] {
  const rule = rules.find(({ files }) => matches(nameOf(file), [files]));
  if (rule === undefined) return [`${file} lies in no zone`];
  return importsOf(source).flatMap(({ specifier, typeOnly }) => {
    const target = targetOf(file, specifier);
    const zoneOf = (name: string) => name.split('/')[0];
    if (isRelative(specifier) && zoneOf(target) !== zoneOf(nameOf(file)))
      return [`${file} leaves its zone by ${specifier}: use #${target}`];
    const allowed = matches(target, rule.values) || (typeOnly && matches(target, rule.types));
    return allowed && !matches(target, rule.never)
      ? []
      : [`${file} may not import ${specifier}${matches(target, rule.types) ? ' but for its types' : ''}`];
  });
}

/** Returns circles of imports as paths of files. If there are any circles, at least one is returned. */
function circles(graph: Graph): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

type Graph = ReadonlyMap<string, readonly string[]>;

const graphOf = (isShown: (each: Import) => boolean): Graph =>
  new Map(
    files.map((file) => [
      nameOf(file),
      importsOf(sourceOf(file))
        .filter(isShown)
        .map(({ specifier }) => targetOf(file, specifier)),
    ]),
  );
const importGraph = (): Graph => graphOf(() => true);
const valueGraph = (): Graph => graphOf(({ typeOnly }) => !typeOnly);

/** Returns the first two folders of a path, such as `services/flow`. A file directly in a top folder stands for itself. */
const roomOf = (name: string) => (isInFolder(name) ? name.split('/').slice(0, 2).join('/') : name);
const isInFolder = (name: string) => name.split('/').length > 2;

function roomGraph(graph: Graph): Graph {
  const rooms = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const room = roomOf(file);
    const others = targets.map(roomOf).filter((other) => other !== room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
  }
  return rooms;
}

/** The functions that create a scope, and the files that may call each of them. */
const minters: Record<string, string[]> = {
  scopeOfKey: ['services/caller.ts'],
  scopeOfLink: ['services/flow/bank/return.ts', 'services/flow/find-link.ts', 'services/flow/open-link.ts'],
  scopeOfOperator: ['services/caller.ts'],
  scopeOfMember: [
    'services/members/links.ts',
    'services/members/passkeys.ts',
    'services/members/sessions.ts',
    'services/members/sign-in.ts',
  ],
  scopeOfHousekeeping: ['services/retention/purge.ts'],
  scopeOfWorkflow: [
    'services/dossiers/order.ts',
    'services/flow/ahead.ts',
    'services/flow/bank/result.ts',
    'services/flow/bank/visits.ts',
    'services/flow/evidence.ts',
    'services/flow/examinations.ts',
    'services/flow/income-examination.ts',
    'services/flow/looks.ts',
    'services/flow/masking.ts',
    'services/flow/record-decline.ts',
    'services/flow/record.ts',
    'services/reviews/record.ts',
    'services/recording/record.ts',
  ],
};

/** The functions that create a caller, and the files that may call each of them. */
const callers: Record<string, string[]> = {
  callerOfKey: ['services/keys/authenticate.ts'],
  callerOfMember: ['api/console/serve-page.ts'],
  callerOfOperator: [
    'services/deliveries/by-operator.ts',
    'services/dossiers/make.ts',
    'services/inspection/organisation.ts',
    'services/keys/by-operator.ts',
    'services/organisations/by-operator.ts',
    'services/privacy/erasures.ts',
    'services/verifications/by-operator.ts',
    'worker/commands/console-invite.ts',
    'worker/commands/keys.ts',
    'worker/commands/operators.ts',
  ],
  callerOfSignedInOperator: ['api/console/pages/operator-organisation.ts'],
  callerOfMachine: ['services/eid/contracts.ts', 'worker/standalone/first-run.ts'],
};

/**
 * The files besides `platform/crypto` that use `node:crypto`. `packages.ts` must not load any package, and only the hash of passwords
 * needs scrypt. The other files read what others signed or encrypted, or may not import `platform/crypto`, since they run isolated.
 */
const usersOfCrypto = [
  'activities/checks/income/program.ts',
  'activities/checks/income/reader.ts',
  'activities/checks/income/reading/cms.ts',
  'activities/checks/income/reading/fingerprint.ts',
  'activities/checks/income/reading/read.ts',
  'activities/eid/idin/contract.ts',
  'activities/eid/idin/decrypt.ts',
  'activities/eid/idin/isolated/confirmation.ts',
  'platform/sign-in/password.ts',
  'worker/packages.ts',
  'worker/process/income-anchors.ts',
];

const productFiles = files.filter((file) => !file.startsWith('test/'));
const filesWith = (pattern: RegExp) =>
  productFiles
    .filter((file) => pattern.test(sourceOf(file)))
    .map(nameOf)
    .sort();

describe('imports', () => {
  test('keep to the table', () => {
    expect(files.flatMap((file) => violations(file, sourceOf(file)))).toEqual([]);
  });

  test('go round in no circle', () => {
    expect(circles(importGraph())).toEqual([]);
  });

  test('between the folders of a zone go round in no circle', () => {
    const graph = [...importGraph()].filter(([file]) => !file.startsWith('test/'));
    expect(circles(roomGraph(new Map(graph)))).toEqual([]);
  });

  test.each(['api/main.ts', 'worker/main.ts', 'worker/standalone/main.ts'])(
    'of %s, which knows the secrets, load no decoder of pictures',
    (program) => {
      const graph = valueGraph();
      const loaded = new Set<string>();
      const load = (name: string) => {
        if (loaded.has(name)) return;
        loaded.add(name);
        graph.get(name)?.forEach(load);
      };
      load(program);
      expect(loaded.size).toBeGreaterThan(50);
      expect([...loaded]).not.toContain('npm/sharp');
    },
  );

  test('of node:crypto are in the folder of cryptography, and in the files above', () => {
    const graph = valueGraph();
    const users = productFiles.map(nameOf).filter((name) => graph.get(name)?.includes('node/crypto'));
    expect(users.filter((name) => !name.startsWith('platform/crypto/')).sort()).toEqual(usersOfCrypto);
  });

  test('by a subpath lead into the folder of that name', () => {
    const folders = Object.entries(manifest.imports).map(([key, path]) => [
      key,
      nameOf(String(path).slice(2)),
    ]);
    expect(folders).toEqual(Object.keys(manifest.imports).map((key) => [key, key.slice(1)]));
  });
});

/**
 * A query that is not bound to one organisation has this ending in its name, or its file is in `unboundFiles`. `usersOfUnbound`
 * lists the files that may use the queries with this ending.
 */
const unbound = /OfAnyOrganisation$/;
const usersOfUnbound = [
  'services/attempts/{attempt,attempt-in-turn,record-outcome}.ts',
  'services/deliveries/{by-operator,carry-out-orders,restart}.ts',
  'services/dossiers/make.ts',
  'services/eid/contracts.ts',
  'services/flow/{bank/return,find-link,open-link,restart}.ts',
  'services/inspection/{history,open-work,orphaned-workflows,overview}.ts',
  'services/ledger/roots.ts',
  'services/members/{links,passkeys,sessions,sign-in}.ts',
  'services/privacy/erasures.ts',
  'services/reviews/restart.ts',
  'services/relations/removals.ts',
  'services/verifications/by-operator.ts',
  'services/recording/record.ts',
  'services/webhooks/failing.ts',
  'worker/metrics.ts',
];
const unboundFiles: Record<string, string[]> = {
  'store/webhooks/delivery-attempts.ts': [
    'services/attempts/{answers,attempt,attempt-in-turn,first-attempts,queues,record-outcome}.ts',
  ],
  'store/webhooks/delivery-queue.ts': [
    'services/attempts/{cancel-queued,first-attempts,queues}.ts',
    'services/inspection/overview.ts',
    'store/webhooks/deliveries.ts',
    'worker/metrics.ts',
  ],
  'store/webhooks/endpoint-health.ts': [
    'services/attempts/record-outcome.ts',
    'store/webhooks/delivery-attempts.ts',
  ],
  'store/organisations/keys.ts': [
    'services/inspection/history.ts',
    'services/keys/{authenticate,by-operator,create,issue,key-cache,list,revoke,rotate}.ts',
    'services/organisations/read-settings.ts',
    'worker/commands/keys.ts',
  ],
  'store/leases.ts': ['worker/leader.ts'],
  'store/organisations/organisations.ts': [
    'services/eid/contracts.ts',
    'services/inspection/{history,organisation}.ts',
    'services/members/invite.ts',
    'services/organisations/{by-operator,change-logo,change-settings,find-logo,read-settings}.ts',
    'services/relations/removals.ts',
    'services/usage/monthly.ts',
    'worker/commands/{console-invite,keys}.ts',
    'worker/standalone/first-run.ts',
  ],
  'store/request-log.ts': ['services/request-log/request-log.ts'],
  'store/keeping/removals.ts': ['services/retention/purge.ts', 'store/keeping/retention.ts'],
  'store/keeping/retention.ts': ['services/retention/{overdue,purge}.ts'],
  'store/keeping/seals.ts': ['services/secrets/{parts,reseal}.ts'],
  'store/organisations/usage.ts': ['services/usage/monthly.ts', 'store/keeping/removals.ts'],
};

const machinery = ['store/database/connection.ts', 'store/database/roles.ts', 'store/database/statements.ts'];

/** Returns the exported queries without a scope, unless the file is exempt or the name ends in `OfAnyOrganisation`. */
function unnamed(file: string, source: string): string[] {
  if (nameOf(file) in unboundFiles || machinery.includes(nameOf(file))) return [];
  return source.split(/\n(?=\S)/).flatMap((statement) => {
    const [, name] = /^export (?:const|(?:async )?function) (\w+)/.exec(statement) ?? [];
    const isQuery = /: (Db|Store|Pick<Store, 'db'>)\W/.test(statement);
    const isBound = /: OrgScope\b/.test(statement);
    return name === undefined || !isQuery || isBound || unbound.test(name) ? [] : [`${file}: ${name}`];
  });
}

/** Returns the imports of queries that are not bound to one organisation, if this file may not use them. */
function strangers(file: string, source: string): string[] {
  const isUser = (users: string[]) => matches(nameOf(file), users);
  const imports = [...source.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)];
  return imports.flatMap(([, names = '', specifier = '']) => {
    const target = targetOf(file, specifier);
    if (target in unboundFiles) return isUser(unboundFiles[target] ?? []) ? [] : [`${file}: ${target}`];
    const used = names.split(',').map((name) => name.replace('type ', '').trim());
    return isUser(usersOfUnbound)
      ? []
      : used.filter((name) => unbound.test(name)).map((name) => `${file}: ${name}`);
  });
}

describe('rows', () => {
  test('are read and written by the store alone', () => {
    const queries = filesWith(/\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/);
    expect(queries.filter((file) => !file.startsWith('store/'))).toEqual([]);
  });

  test.each(Object.entries(minters))(
    'are reached by a scope from %s in these files alone',
    (name, allowed) => {
      const users = filesWith(new RegExp(`\\b${name}\\b`));
      expect(users).toEqual([...allowed, 'store/database/scope.ts'].sort());
    },
  );

  test.each(Object.entries(callers))(
    'are reached by a caller from %s in these files alone',
    (name, allowed) => {
      const users = filesWith(new RegExp(`\\b${name}\\b`));
      expect(users).toEqual([...allowed, 'services/caller.ts'].sort());
    },
  );

  const storeFiles = files.filter((file) => /^shared\/store\/(?!entities\/|migrations\/)/.test(file));

  test('of any organisation are read by queries that say so', () => {
    expect(storeFiles.flatMap((file) => unnamed(file, sourceOf(file)))).toEqual([]);
  });

  test('of any organisation are read where that is needed', () => {
    expect(productFiles.flatMap((file) => strangers(file, sourceOf(file)))).toEqual([]);
  });

  test('of any organisation have no exception that nobody needs', () => {
    const graph = importGraph();
    const uses = (file: string, target: string) => graph.get(nameOf(file))?.includes(target);
    for (const [target, users] of Object.entries(unboundFiles))
      for (const user of users)
        expect(
          productFiles.filter((file) => matches(nameOf(file), [user]) && uses(file, target)),
          `${user} of ${target}`,
        ).not.toEqual([]);
  });

  test.each([
    [
      'shared/store/verifications/verifications.ts',
      'export const findAll = (db: Db) =>\n  db.selectFrom();\n',
    ],
    ['shared/store/requests.ts', 'export async function purge({ db }: Store, id: string) {\n}\n'],
    [
      'shared/store/webhooks/events.ts',
      'export const find = compiledOnce((db: Db, id: string) =>\n  db.x(),\n);\n',
    ],
  ])('a query of any organisation that does not say so is found in %s', (file, source) => {
    expect(unnamed(file, source)).toHaveLength(1);
    expect(unnamed(file, source.replace(/(findAll|purge|find)/, '$1OfAnyOrganisation'))).toEqual([]);
  });

  test.each([
    [
      'shared/services/verifications/get.ts',
      "import { lockVerificationOfAnyOrganisation } from '#store/verifications/verifications.ts';",
    ],
    [
      'shared/services/webhooks/create.ts',
      "import {\n  a,\n  type findKeyByHash,\n} from '#store/organisations/keys.ts';",
    ],
    ['shared/store/verifications/verifications.ts', "import { purge } from '#store/keeping/retention.ts';"],
  ])('a use of it is found in %s', (file, source) => {
    expect(strangers(file, source)).toHaveLength(1);
  });

  test('are reached by no other way to mint a scope', () => {
    const exported = [...sourceOf('shared/store/database/scope.ts').matchAll(/^export const (\w+)/gm)];
    expect(exported.map(([, name]) => name)).toEqual(Object.keys(minters));
    const made = [
      ...sourceOf('shared/services/caller.ts').matchAll(/^export (?:const|function) (callerOf\w+)/gm),
    ];
    expect(made.map(([, name]) => name)).toEqual(Object.keys(callers));
  });
});

describe('the table', () => {
  const value = (specifier: string) => `import { a } from '${specifier}'; a();`;
  const type = (specifier: string) => `import type { A } from '${specifier}'; export type B = A;`;

  test.each([
    ['shared/contract/enums.ts', value('zod')],
    ['shared/contract/limits.ts', value('./fields.ts')],
    ['shared/contract/workflows.ts', value('./verification.ts')],
    ['shared/contract/errors.ts', value('node:http')],
    ['shared/contract/errors.ts', value('#platform/log.ts')],
    ['shared/policy/verdicts/sandbox.ts', value('zod')],
    ['shared/policy/verdicts/sandbox.ts', value('node:crypto')],
    ['shared/policy/verdicts/sandbox.ts', value('crypto')],
    ['shared/policy/verdicts/sandbox.ts', value('#contract/verification.ts')],
    ['shared/policy/verdicts/sandbox.ts', type('#store/database/scope.ts')],
    ['shared/platform/log.ts', value('#store/database/connection.ts')],
    ['shared/platform/log.ts', type('#services/context.ts')],
    ['shared/platform/log.ts', value('#policy/reasons.ts')],
    ['shared/store/organisations/keys.ts', value('#services/context.ts')],
    ['shared/store/organisations/keys.ts', value('koa')],
    ['shared/services/context.ts', value('koa')],
    ['shared/services/context.ts', value('@koa/router')],
    ['shared/services/context.ts', type('#api/state.ts')],
    ['shared/services/context.ts', value('#activities/index.ts')],
    ['shared/services/context.ts', type('#workflows/index.ts')],
    ['shared/services/context.ts', value('#worker/bundle.ts')],
    ['activities/index.ts', value('#store/database/connection.ts')],
    ['activities/index.ts', value('#api/app.ts')],
    ['activities/index.ts', type('#workflows/index.ts')],
    ['activities/index.ts', value('@temporalio/worker')],
    ['activities/index.ts', value('onnxruntime-node')],
    ['activities/checks/document/judging/judge.ts', value('#services/context.ts')],
    ['activities/checks/document/judging/judge.ts', value('#platform/log.ts')],
    ['activities/checks/document/reader.ts', value('sharp')],
    ['activities/checks/document/reader.ts', value('#activities/checks/document/reading/glyphs.ts')],
    ['activities/checks/document/program.ts', value('./reader.ts')],
    ['activities/checks/document/program.ts', value('#platform/config/config.ts')],
    ['workflows/delivery.ts', value('#activities/index.ts')],
    ['workflows/delivery.ts', value('#contract/enums.ts')],
    ['workflows/delivery.ts', value('#contract/errors.ts')],
    ['workflows/delivery.ts', value('#platform/clock.ts')],
    ['workflows/delivery.ts', value('@temporalio/client')],
    ['workflows/delivery.ts', value('node:crypto')],
    ['workflows/delivery.ts', 'import { type A } from "zod"; export type B = A;'],
    ['api/app.ts', value('#store/database/scope.ts')],
    ['api/app.ts', type('#store/database/scope.ts')],
    ['api/main.ts', value('#worker/standalone/listen.ts')],
    ['worker/worker.ts', value('./standalone/listen.ts')],
    ['worker/sweep.ts', type('#worker/standalone/tether.ts')],
    ['api/app.ts', type('#store/database/connection.ts')],
    ['api/app.ts', value('@mikro-orm/core')],
    ['api/app.ts', value('@temporalio/client')],
    ['api/app.ts', type('@temporalio/client')],
    ['api/app.ts', value('kysely')],
    ['api/app.ts', value('#policy/reasons.ts')],
    ['api/rest/routes.ts', value('#workflows/index.ts')],
    ['api/rest/routes.ts', "export { a } from '#store/database/connection.ts';"],
    ['api/rest/routes.ts', "export const a = () => import('#store/database/connection.ts');"],
    ['api/rest/routes.ts', "export type A = import('#store/database/connection.ts').Store;"],
    ['workflows/delivery.ts', 'export const a = (name: string) => import(name);'],
    ['api/rest/routes.ts', value('../../shared/services/context.ts')],
    ['elsewhere/thing.ts', ''],
  ])('refuses in %s: %s', (file, source) => {
    expect(violations(file, source)).toHaveLength(1);
  });

  test.each([
    ['shared/policy/verdicts/sandbox.ts', type('#contract/verification.ts')],
    ['workflows/delivery.ts', type('#activities/index.ts')],
    ['activities/failures.ts', type('@temporalio/worker')],
    ['api/rest/routes.ts', value('../middleware/errors.ts')],
    ['api/main.ts', value('#store/database/connection.ts')],
    ['worker/standalone/main.ts', value('@mikro-orm/core')],
    ['worker/commands/keys.ts', value('../standalone/run-file.ts')],
  ])('allows in %s: %s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });

  test('finds a circle of imports', () => {
    const graph = new Map([
      ['a.ts', ['b.ts', 'npm/zod']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['b.ts']],
    ]);
    expect(circles(graph)).toEqual(['b.ts → c.ts → b.ts']);
  });

  test('finds a circle of folders that is none of files', () => {
    const graph = new Map([
      ['services/flow/a.ts', ['services/verifications/a.ts']],
      ['services/verifications/b.ts', ['services/flow/b.ts', 'services/context.ts']],
      ['services/context.ts', ['services/keys/a.ts']],
    ]);
    expect(circles(graph)).toEqual([]);
    expect(circles(roomGraph(graph))).toEqual(['services/flow → services/verifications → services/flow']);
  });
});

describe('packages', () => {
  /** The modules that webpack put into the bundle. The source map at the end of the bundle names all of them. */
  const modulesOf = (code: string): string[] => {
    const [, map = ''] = /sourceMappingURL=data:application\/json;[^,]*,([A-Za-z0-9+/=]+)/.exec(code) ?? [];
    return JSON.parse(Buffer.from(map, 'base64').toString()).sources;
  };

  /**
   * A module that the bundler leaves out has the name `ignored|…` in the source map. No such name is allowed, except the two
   * modules that Temporal itself leaves out.
   */
  const belongsInTheBundle = new RegExp(
    [
      '^workflows/',
      '^shared/policy/',
      '^shared/contract/(enums|limits|time|workflows)\\.ts$',
      '(^|/)node_modules/(@temporalio/(common|proto|worker|workflow)|nexus-rpc|ms|long)/',
      '__temporal_custom_(failure|payload)_converter$',
      '(^|/)webpack/(bootstrap$|runtime/)',
    ].join('|'),
  );

  test('the workflow bundle holds workflows, policy and what Temporal needs, and nothing else', async () => {
    const { bundle } = await bundleWorkflows();
    const modules = modulesOf(bundle.code).map((path) => posix.relative(root, path));
    expect(modules).toContain('workflows/delivery.ts');
    expect(modules.filter((path) => !path.includes('webpack/') && !belongsInTheBundle.test(path))).toEqual(
      [],
    );
  });

  test('every package of Temporal finds the one protobufjs 8, without which histories cannot be replayed', () => {
    const temporal = join(root, 'node_modules/@temporalio');
    const found = readdirSync(temporal).map((name) =>
      realpathSync(createRequire(join(temporal, name, 'package.json')).resolve('protobufjs/package.json')),
    );
    expect(new Set(found)).toEqual(
      new Set([realpathSync(join(root, 'node_modules/protobufjs/package.json'))]),
    );
    expect(JSON.parse(readFileSync(found[0] ?? '', 'utf8')).version).toMatch(/^8\./);
  });
});
