import type { DemoKey } from './first-run.ts';

type Started = {
  version: string;
  seconds: string;
  url: string;
  uiUrl: string | null;
  metricsUrl: string | null;
  dataDir: string;
  demoKey: DemoKey;
};

export function welcome({ version, seconds, url, uiUrl, metricsUrl, dataDir, demoKey }: Started): string {
  return `
Ready after ${seconds} s: verification service ${version}

  REST interface   ${url}/v1
  Agent interface  ${url}/mcp
  Reference        ${url}/docs
  Temporal's UI    ${uiUrl === null ? 'that of your own Temporal server' : `${uiUrl} (any user of this machine can end workflows here)`}
  Metrics          ${metricsUrl ?? 'not served'}
  Data             ${dataDir}

${demoKey === undefined ? foundData : madeKey(demoKey, url)}
To see webhooks arrive, in another terminal: npm run listen
Ctrl-C stops everything; the data stay.
`;
}

const foundData = `Found the data of an earlier start; its keys still work. Another key, in another terminal:

  npm run --silent keys -- create --org Demo --environment sandbox
`;

const madeKey = (
  { shown, forCurl }: NonNullable<DemoKey>,
  url: string,
) => `Made an organisation "Demo" and a sandbox key for it, shown this once:

  ${shown}

Try it, in another terminal:

  curl -s ${url}/v1/verifications -H "Authorization: Bearer ${forCurl}" \\
    -H "Content-Type: application/json" -d '{"reference":"first try"}'
`;
