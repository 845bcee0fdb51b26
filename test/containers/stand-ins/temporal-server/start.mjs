import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

/**
 * Reads the variables of the published image. Like its server, ends if one of its databases cannot be reached with them, or if
 * `temporal-sql-tool` has not prepared it.
 */
const variables = {
  DB: '',
  DB_PORT: '',
  POSTGRES_SEEDS: '',
  POSTGRES_USER: '',
  POSTGRES_PWD: '',
  BIND_ON_IP: '',
  DYNAMIC_CONFIG_FILE_PATH: '',
  LOG_LEVEL: 'info',
  DBNAME: 'temporal',
  VISIBILITY_DBNAME: 'temporal_visibility',
  ...process.env,
};
for (const name of /** @type {const} */ ([
  'DB',
  'POSTGRES_SEEDS',
  'POSTGRES_USER',
  'POSTGRES_PWD',
  'BIND_ON_IP',
]))
  if (variables[name] === '') giveUp(`${name} is not set`);
if (variables.DB !== 'postgres12') giveUp(`DB is ${variables.DB}`);

const [psql = 'psql'] = globSync('/usr/lib/postgresql/*/bin/psql');
for (const database of [variables.DBNAME, variables.VISIBILITY_DBNAME]) {
  const { status, stderr } = spawnSync(
    psql,
    ['--no-psqlrc', '--quiet', '--tuples-only', '--command', 'select curr_version from schema_version'],
    {
      encoding: 'utf8',
      env: {
        PGHOST: variables.POSTGRES_SEEDS,
        PGPORT: variables.DB_PORT || '5432',
        PGUSER: variables.POSTGRES_USER,
        PGPASSWORD: variables.POSTGRES_PWD,
        PGDATABASE: database,
      },
    },
  );
  if (status !== 0) giveUp(`the database ${database}: ${stderr}`);
}

const file = variables.DYNAMIC_CONFIG_FILE_PATH;
if (file !== '' && !existsSync(file)) giveUp(`${file} is not there`);
const flags = Object.entries(file === '' ? {} : JSON.parse(readFileSync(file, 'utf8')));
const server = spawn(
  'temporal',
  [
    ...['server', 'start-dev', '--ip', variables.BIND_ON_IP, '--port', '7233', '--headless'],
    ...['--db-filename', '/var/lib/temporal/temporal.db', '--log-level', variables.LOG_LEVEL],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
    ...flags.flatMap(([name, [{ value }]]) => ['--dynamic-config-value', `${name}=${value}`]),
  ],
  { stdio: 'inherit', env: { PATH: process.env.PATH, HOME: '/tmp' } },
);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
  process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));

/** @param {string} reason */
function giveUp(reason) {
  process.stderr.write(`temporal-server (stand-in): ${reason}\n`);
  process.exit(1);
}
