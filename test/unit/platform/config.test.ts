import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigSchema, readConfig, requireExternal } from '#platform/config/config.ts';
import { StartFault } from '#platform/failures.ts';

function faultOf(work: () => unknown): StartFault {
  try {
    work();
  } catch (error) {
    if (error instanceof StartFault) return error;
    throw error;
  }
  throw new Error('no fault');
}

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

describe('without any variable', () => {
  const config = readConfig({});

  test('there is a default for everything', () => {
    expect(config).toEqual({
      port: 3000,
      host: '127.0.0.1',
      console: { port: 3001, url: 'http://localhost:3001' },
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      databaseConnections: 20,
      temporal: { address: undefined, namespace: 'default', tls: undefined, apiKey: undefined },
      temporalUiPort: 8233,
      redisUrl: undefined,
      dataDir: '.data',
      cacheDir: undefined,
      secretsKeys: undefined,
      income: { certificatesFile: undefined, signedTypes: [] },
      webhookAllowAddresses: [],
      turns: { attempts: 200, perEndpoint: 20, deliveriesPerMinute: 6_000 },
      trustProxy: [],
      mcpAllowedOrigins: [],
      logLevel: 'info',
      logFormat: 'json',
      metrics: { host: '127.0.0.1', port: undefined },
      otlpEndpoint: undefined,
    });
  });

  test('an empty one counts as absent', () => {
    const empty = Object.fromEntries(Object.keys(ConfigSchema.shape).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(config);
  });

  test('a terminal gets a log for people', () => {
    expect(readConfig({}, true).logFormat).toBe('pretty');
    expect(readConfig({ LOG_FORMAT: 'json' }, true).logFormat).toBe('json');
  });
});

describe('a variable is read', () => {
  test.each([
    ['CONSOLE_PORT can be off', { CONSOLE_PORT: 'off' }, { console: undefined }],
    ['IDIN_SIMULATOR_PORT', { IDIN_SIMULATOR_PORT: '3011' }, { idinSimulatorPort: 3011 }],
    ['IDIN_SIMULATOR_PORT can be off', { IDIN_SIMULATOR_PORT: 'off' }, { idinSimulatorPort: 'off' }],
    [
      'CONSOLE_URL is the address of the console',
      { CONSOLE_URL: 'https://console.example.com/' },
      { console: { port: 3001, url: 'https://console.example.com' } },
    ],
    ['METRICS_PORT can be off', { METRICS_PORT: 'off' }, { metrics: { host: '127.0.0.1', port: 'off' } }],
    ['or a port', { METRICS_PORT: '9999' }, { metrics: { host: '127.0.0.1', port: 9999 } }],
    ['PUBLIC_URL follows the port', { PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [
      'PUBLIC_URL loses its last slashes',
      { PUBLIC_URL: 'https://id.example/kyc//' },
      { publicUrl: 'https://id.example/kyc' },
    ],
    [
      'SECRETS_KEY holds several',
      { SECRETS_KEY: `${key(1)}, ${key(2)}` },
      { secretsKeys: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] },
    ],
    [
      'LEDGER_KEY holds several, beside LEDGER_DIR',
      { LEDGER_KEY: `${key(1)}, ${key(2)}`, LEDGER_DIR: '/ledger' },
      { ledger: { keys: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], dir: '/ledger' } },
    ],
    [
      'WEBHOOK_ALLOW_ADDRESSES holds addresses and ranges',
      { WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8, 10.1.2.3,::1,fd00::/8' },
      {
        webhookAllowAddresses: [
          { address: '127.0.0.0', prefixLength: 8 },
          { address: '10.1.2.3', prefixLength: 32 },
          { address: '::1', prefixLength: 128 },
          { address: 'fd00::', prefixLength: 8 },
        ],
      },
    ],
    ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '50' }, { databaseConnections: 50 }],
    [
      'the limits of a worker that delivers',
      {
        WEBHOOK_ATTEMPTS: '400',
        WEBHOOK_ATTEMPTS_PER_ENDPOINT: '10',
        WEBHOOK_DELIVERIES_PER_MINUTE: '60000',
      },
      { turns: { attempts: 400, perEndpoint: 10, deliveriesPerMinute: 60_000 } },
    ],
    [
      'MCP_ALLOWED_ORIGINS holds several',
      { MCP_ALLOWED_ORIGINS: 'https://a.example,http://localhost:5173' },
      { mcpAllowedOrigins: ['https://a.example', 'http://localhost:5173'] },
    ],
    [
      'TEMPORAL_ADDRESS takes IPv6',
      { TEMPORAL_ADDRESS: '[::1]:7233' },
      { temporal: { address: '[::1]:7233', namespace: 'default', tls: undefined, apiKey: undefined } },
    ],
    [
      'TEMPORAL_TLS_CA alone turns TLS on',
      { TEMPORAL_TLS_CA: 'ca.pem' },
      { temporal: { address: undefined, namespace: 'default', tls: { ca: 'ca.pem' }, apiKey: undefined } },
    ],
  ])('%s', (_, env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });
});

test.each([
  'http://localhost:3000',
  'http://kyc.localhost',
  'http://127.0.0.1',
  'http://192.168.1.5:3000',
  'http://[::1]',
])('PUBLIC_URL may be %s, which no stranger can listen to', (url) =>
  expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(url),
);

test('INCOME_SIGNED_DOCUMENTS names types of documents, beside the certificates', () => {
  const env = { INCOME_TRUSTED_CERTIFICATES: 'uwv.pem', INCOME_SIGNED_DOCUMENTS: 'uwv_statement' };
  expect(readConfig(env).income).toEqual({ certificatesFile: 'uwv.pem', signedTypes: ['uwv_statement'] });
  const { message } = faultOf(() => readConfig({ INCOME_SIGNED_DOCUMENTS: 'uwv_statement' }));
  expect(message).toContain('needs INCOME_TRUSTED_CERTIFICATES');
  expect(faultOf(() => readConfig({ ...env, INCOME_SIGNED_DOCUMENTS: 'slip' })).message).toContain('payslip');
});

test.each([{ LEDGER_KEY: key(1) }, { LEDGER_DIR: '/ledger' }])(
  'LEDGER_KEY and LEDGER_DIR are given together or not at all: %o',
  (env) => {
    const { exitCode, message } = faultOf(() => readConfig(env));
    expect(exitCode).toBe(78);
    expect(message).toBe('LEDGER_KEY and LEDGER_DIR belong together: set both or neither.');
  },
);

test('a process in which no certificate would be verified does not start', () => {
  const { exitCode, message } = faultOf(() => readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }));
  expect(exitCode).toBe(78);
  expect(message).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED .*NODE_EXTRA_CA_CERTS/);
  expect(readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual(readConfig({}));
});

describe('a malformed variable ends the start with one line and code 78, and is not repeated', () => {
  const malformed: Record<string, string[]> = {
    PORT: ['0', '65536', '-1', '80.5', 'http', '3000x'],
    TEMPORAL_UI_PORT: ['0', '99999', 'ui'],
    METRICS_PORT: ['0', '65536', 'on', 'Off'],
    CONSOLE_PORT: ['0', '65536', 'on', 'Off'],
    IDIN_SIMULATOR_PORT: ['0', '65536', 'on', 'Off'],
    CONSOLE_URL: ['http://console.example.com', 'https://example.com/console', 'console.example.com'],
    PUBLIC_URL: [
      'id.example',
      'ftp://id.example',
      'https://',
      'https://id.example/?x=1',
      'https://id.example/#x',
      'http://id.example',
      'http://localhost.example',
      'http://198.51.100.7',
      'http://[2001:db8::1]:3000',
    ],
    DATABASE_URL: [
      'mysql://u:hunter2@h/d',
      'hunter2',
      'postgres:hunter2@host',
      'postgres://u:hunter2@a,b/d',
      'postgres://u:hunter2@a:5432,b:5432/d',
    ],
    DATABASE_CONNECTIONS: ['4', '1001', '20.5', 'many'],
    WEBHOOK_ATTEMPTS: ['9', '10001', '-1', '2e1x'],
    WEBHOOK_ATTEMPTS_PER_ENDPOINT: ['0', '1001', 'all'],
    WEBHOOK_DELIVERIES_PER_MINUTE: ['0', '1.5', 'unlimited'],
    TEMPORAL_ADDRESS: [
      'temporal.example',
      'https://temporal.example:7233',
      'temporal.example:',
      'a b:7233',
      'temporal.example:65536',
      'temporal.example:0',
    ],
    REDIS_URL: [
      'http://hunter2@h',
      'hunter2',
      'redis://:hunter2%zz@h',
      'redis://:hunter2%ff@h',
      'redis://hunter2:x@h:p',
    ],
    SECRETS_KEY: ['hunter2', key(1).slice(4), `${key(1)}AAAA`, `${key(1)},hunter2`, '%'.repeat(44), ',', ' '],
    LEDGER_KEY: ['hunter2', key(1).slice(4), `${key(1)},hunter2`, ','],
    WEBHOOK_ALLOW_ADDRESSES: [
      'localhost',
      '10.0.0.0/33',
      '10.0.0/8',
      '::1/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/x',
      '10.0.0.0/-1',
    ],
    TRUST_PROXY: ['*', '10.0.0.256', '0.0.0.0/0', '10.0.0.0/8,::/0'],
    MCP_ALLOWED_ORIGINS: ['*', 'partner.example', 'https://app.example/', 'https://app.example/path', 'null'],
    LOG_LEVEL: ['verbose', 'INFO'],
    LOG_FORMAT: ['xml'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4317', 'grpc://collector.example:4317'],
  };

  test.each(Object.entries(malformed).flatMap(([name, values]) => values.map((value) => ({ name, value }))))(
    '$name=$value',
    ({ name, value }) => {
      const { exitCode, message } = faultOf(() => readConfig({ [name]: value }));
      expect(exitCode).toBe(78);
      expect(message).toMatch(new RegExp(`^${name} must be .+\\.$`));
      if (value.length > 5) expect(message).not.toContain(value);
      expect(message).not.toContain('hunter2');
    },
  );

  test('and two give two lines', () => {
    const { message } = faultOf(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' }));
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual(['PORT', 'LOG_LEVEL']);
  });
});

describe('a process that needs servers of others', () => {
  const env = {
    DATABASE_URL: 'postgres://u@h/d',
    TEMPORAL_ADDRESS: 'h:7233',
    SECRETS_KEY: key(1),
  };

  test('gets them', () => {
    expect(requireExternal(readConfig(env))).toEqual({
      databaseUrl: 'postgres://u@h/d',
      temporalAddress: 'h:7233',
      secretsKeys: [Buffer.alloc(32, 1)],
    });
  });

  test.each(Object.keys(env))('is told that %s is missing', (name) => {
    const { exitCode, message } = faultOf(() => requireExternal(readConfig({ ...env, [name]: '' })));
    expect(exitCode).toBe(78);
    expect(message).toMatch(new RegExp(`^${name} is not set: [^\\n]+\\n\`npm start\` [^\\n]+$`));
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');

  test('names every variable, in the order of the schema', () => {
    const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(ConfigSchema.shape));
  });

  test('holds the defaults', () => {
    expect(readConfig(parseEnv(text))).toEqual(readConfig({}));
  });

  test('says of each what it means', () => {
    const blocks = text.split('\n\n').slice(1);
    for (const block of blocks) expect(block).toMatch(/^# .+/);
  });
});
