/** Programs find others, their settings and a place for temporary files by these. */
const always = ['PATH', 'HOME', 'TMPDIR'];

/** How a download reaches the internet from here, and by which authorities and indexes. */
const ofNetwork = [
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'no_proxy',
  ],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...[
    'XDG_CONFIG_HOME',
    'PIP_CONFIG_FILE',
    'PIP_INDEX_URL',
    'PIP_EXTRA_INDEX_URL',
    'PIP_TRUSTED_HOST',
    'PIP_CERT',
  ],
];

const chosen = (names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/**
 * The environment of every program that we start. Ours can hold SECRETS_KEY and passwords, so nothing of it is handed on but these names.
 * Language and time zone are fixed, because our own must not change what a server does or what a tool prints.
 */
export const systemEnv = (): NodeJS.ProcessEnv => ({
  PATH: '/usr/bin:/bin',
  ...chosen(always),
  ...{ LC_ALL: 'C', TZ: 'UTC' },
});

/** For a program that downloads. */
export const downloadEnv = (): NodeJS.ProcessEnv => ({ ...systemEnv(), ...chosen(ofNetwork) });
