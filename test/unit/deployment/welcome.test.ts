import { expect, test } from 'vitest';
import { welcome } from '#worker/standalone/welcome.ts';

const nothing = { metricsUrl: null, consoleUrl: null, simulatorUrl: null, demo: undefined };
const started = { ...nothing, version: '1', seconds: '1', url: 'http://localhost:1', dataDir: 'data' };

test("npm start says that its own Temporal UI can end workflows, and says nothing of an operator's own", () => {
  const uiUrl = 'http://localhost:8233';
  expect(welcome({ ...started, uiUrl })).toContain(
    `${uiUrl} (any user of this machine can end workflows here)`,
  );
  expect(welcome({ ...started, uiUrl: null })).not.toContain('can end workflows');
});
