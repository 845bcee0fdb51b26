import { incomeDocumentTypes } from '#contract/enums.ts';

/** What a variable must be, for those whose fault says it in no other way. */
export const expectations: Record<string, string> = {
  INCOME_SIGNED_DOCUMENTS: `must be some of ${incomeDocumentTypes.join(', ')}, separated by commas`,
  PORT: 'must be a port number from 1 to 65535',
  TEMPORAL_UI_PORT: 'must be a port number from 1 to 65535',
  TEMPORAL_UI_URL: 'must be an http or https URL',
  PUBLIC_URL:
    'must be an https URL without query and fragment; http is for localhost and private addresses only',
  DATABASE_URL: 'must be a URL that starts with postgres:// and names one host',
  OWNER_DATABASE_URL: 'must be a URL that starts with postgres:// and names one host',
  HOUSEKEEPING_DATABASE_URL: 'must be a URL that starts with postgres:// and names one host',
  REDIS_URL: 'must be a URL that starts with redis:// or rediss://',
  LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
  LOG_FORMAT: 'must be pretty or json',
  CONSOLE_PORT: 'must be a port number from 1 to 65535, or off',
  IDIN_SIMULATOR_PORT: 'must be a port number from 1 to 65535, or off',
  CONSOLE_URL:
    'must be an https URL without path, query and fragment; http is for localhost and private addresses only',
  METRICS_PORT: 'must be a port number from 1 to 65535, or off',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'must be an http or https URL',
};
