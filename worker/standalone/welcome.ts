import { dayInUtc } from '#contract/time.ts';
import type { Demo } from './first-run.ts';

type Started = {
  version: string;
  seconds: string;
  url: string;
  uiUrl: string | null;
  metricsUrl: string | null;
  dataDir: string;
  consoleUrl: string | null;
  simulatorUrl: string | null;
  demo: Demo | undefined;
};

export function welcome({
  version,
  seconds,
  url,
  uiUrl,
  metricsUrl,
  dataDir,
  consoleUrl,
  simulatorUrl,
  demo,
}: Started): string {
  return `
Ready after ${seconds} s: verification service ${version}

  REST interface   ${url}/v1
  Agent interface  ${url}/mcp
  Reference        ${url}/docs
  Console          ${consoleUrl ?? 'off'}
  Temporal's UI    ${uiUrl === null ? 'that of your own Temporal server' : `${uiUrl} (any user of this machine can end workflows here)`}
  iDIN simulator   ${simulatorUrl ?? 'off'}
  Metrics          ${metricsUrl ?? 'not served'}
  Data             ${dataDir}

${demo === undefined ? foundData : made(demo, url)}
To see webhooks arrive, in another terminal: npm run listen
Ctrl-C stops everything; the data stay.
`;
}

const foundData = `Found the data of an earlier start. Its keys work until they expire. Another key, in another terminal:

  npm run --silent keys -- create --org Demo --environment sandbox

Another member of the console:

  npm run --silent console:invite -- --org Demo --email you@example.com --role owner
`;

const made = (
  { sandboxKey, liveKey, worksUntil, ownerLink }: Demo,
  url: string,
) => `Made an organisation "Demo" with two keys, shown this once. They work until ${dayInUtc(worksUntil)}:

  sandbox  ${sandboxKey.shown}
  live     ${liveKey.shown}
${ownerLink === undefined ? '' : ownersLink(ownerLink.shown)}
Try it, in another terminal:

  curl -s ${url}/v1/verifications -H "Authorization: Bearer ${sandboxKey.inShell}" \\
    -H "Content-Type: application/json" -d '{"reference":"first try"}'
`;

const ownersLink = (link: string) => `
The console's first owner chooses a password here. The link works once, for three days:

  ${link}
`;
