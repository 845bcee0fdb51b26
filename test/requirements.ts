/**
 * The promises of the specification, one entry for each sentence or table row, so that a missing test is seen. A test names what it
 * covers by `covers(…)`, and `requirements.test.ts` compares these names with the entries. What the specification leaves open
 * ("not shown") has no entry.
 */
const behaviours = {
  // 1. What the service does
  '1/verify-url-given': 'Whoever starts a verification gets the link to hand to its end user.',
  '1/end-user-completes-the-flow': 'The end user completes the verification flow behind that link.',
  '1/status-by-polling': 'The status can be followed by polling.',
  '1/signed-webhook-on-verdict': 'A signed webhook announces a verdict that is ready.',
  '1/environment-by-key-prefix': 'The prefix of the API key selects sandbox or live.',
  '1/sandbox-predictable': 'A sandbox verdict can be told beforehand.',
  '1/sandbox-free': 'Sandbox usage is never charged and appears on no invoice.',
  '1/live-completed-by-end-user-only':
    'In live nobody but the end user completes a verification, through its link.',
  '1/api-completion-sandbox-only': 'Completing through the API exists in sandbox alone.',
  '1/face-comparison-indicative':
    'The face comparison of document_liveness only indicates; a human assesses finally.',
  '1/no-biometric-proof': 'No outcome is presented as biometric proof that stands alone.',
  '1/agent-interface': 'AI agents start and follow verifications over JSON-RPC 2.0 on streamable HTTP.',
  '1/agent-no-personal-data': 'The agent interface returns no personal data.',
  '1/organisation-isolation': 'An organisation never sees the data of another.',

  // 2. Resources and their fields
  '2/json-bodies': 'Every body is JSON.',
  '2/iso-timestamps': 'Timestamps in resources are ISO 8601 date-time strings.',

  '2.1/id': 'A verification has a UUID as its id.',
  '2.1/object': 'Its object is the constant "verification".',
  '2.1/status': 'Its status is pending, in_progress or completed.',
  '2.1/environment': 'Its environment is sandbox or live.',
  '2.1/method': 'Its method is document_liveness, idin or document_only.',
  '2.1/reference': "Its reference is the caller's own of at most 200 characters, or null.",
  '2.1/verify-url': 'Its verify_url is a URI.',
  '2.1/verdict-null-until-completed':
    'Its verdict is null until it is completed, and a Verdict from then on.',
  '2.1/dossier-ref': 'Its dossier_ref is a string that refers to the audit dossier, or null.',
  '2.1/created-at': 'Its created_at is a date-time.',

  '2.2/outcome': 'A verdict has the outcome approved, review or rejected.',
  '2.2/assurance-level': 'Its assurance_level is low, substantial, high or null.',
  '2.2/reasons': 'Its reasons are an array of strings.',
  '2.2/reviewed': 'Its reviewed is a boolean.',
  '2.2/agent-checks-not-reasons': 'In the agent interface a verdict carries checks in place of reasons.',
  '2.2/agent-check-shape': 'A check has a kind, a result and a confidence between 0 and 1.',

  '2.3/object': 'A list of verifications has the constant "list" as its object.',
  '2.3/data': 'Its data are an array of verifications.',
  '2.3/has-more': 'Its has_more is a boolean.',
  '2.3/next-starting-after': 'Its next_starting_after is the cursor of the next page, or null.',

  '2.4/id': 'A webhook endpoint has a UUID as its id.',
  '2.4/object': 'Its object is a string.',
  '2.4/url': 'Its url is the one it was registered with.',
  '2.4/description': 'Its description is a string or null.',
  '2.4/event-types': 'Its event_types are an array of strings.',
  '2.4/environment': 'Its environment is all, sandbox or live.',
  '2.4/active': 'Its active is a boolean.',
  '2.4/created-at': 'Its created_at is a date-time.',
  '2.4/secret-prefix': 'The answer to its creation carries a secret that starts with whsec_.',
  '2.4/secret-once': 'The secret is returned that once and never again.',

  '2.6/scenarios': 'A sandbox scenario is approved, review or rejected.',
  '2.6/scenario-default': 'The scenario is approved when none is given.',
  '2.6/methods': 'A method is document_liveness, idin or document_only.',
  '2.6/method-default': 'The method is document_liveness when none is given.',

  // 3. States and transitions
  '3/statuses': 'A verification is never in another state than pending, in_progress or completed.',
  '3/live-created-pending':
    'Created with a live key it is pending, with a link through which its end user completes it.',
  '3/sandbox-created-completed':
    'Created in sandbox with auto_complete true or absent it is completed at once.',
  '3/sandbox-created-completed-outcome': 'The outcome of one completed at creation is its scenario.',
  '3/sandbox-created-completed-event': 'One completed at creation sends its webhook.',
  '3/sandbox-created-pending': 'Created in sandbox with auto_complete false it is pending, as in live.',
  '3/complete-pending': 'POST …/complete with a sandbox key takes a pending verification to completed.',
  '3/complete-outcome': 'The outcome of one completed through the API is the scenario.',
  '3/complete-event': 'One completed through the API sends verification.completed.',
  '3/completed-stays':
    'POST …/complete leaves a completed verification unchanged and answers 409 already_completed.',
  '3/person-completes': 'An end user who finishes the flow takes a pending live verification to completed.',
  '3/person-verdict': 'The end of the flow sets the verdict.',
  '3/person-event': 'The end of the flow sends verification.completed.',
  '3/scenario-approved': 'Scenario approved gives approved: every check passes.',
  '3/scenario-review': 'Scenario review gives review: the face comparison is in doubt.',
  '3/scenario-rejected': 'Scenario rejected gives rejected: the document check fails.',
  '3/webhook-created-active': 'A webhook endpoint is created with active true.',
  '3/webhook-delete-deactivates': 'DELETE /webhooks/{id} deactivates the endpoint; its caller still sees it.',
  '3/webhook-delete-reports': 'The answer to DELETE /webhooks/{id} reports deleted.',

  // 4. Endpoints
  '4/content-type': 'A request with a body sends it as Content-Type: application/json.',
  '4/rate-limit-headers':
    'Every answer but that of /health carries X-RateLimit-Limit and X-RateLimit-Remaining.',
  '4/rate-limit-remaining': 'X-RateLimit-Remaining is an integer: the requests left in this minute.',
  '4/request-id-header': 'Every answer but that of /health carries X-Request-Id.',

  '4.1/health': 'GET /health answers 200 with status and version, both strings.',
  '4.1/health-without-key': 'GET /health asks for no key.',
  '4.1/create': 'POST /verifications answers 201 with the verification.',
  '4.1/create-scope': 'POST /verifications needs a key with scope verify:create.',
  '4.1/create-401': 'POST /verifications without a valid key is 401.',
  '4.1/create-403': 'POST /verifications without its scope is 403.',
  '4.1/create-422': 'POST /verifications with invalid input is 422.',
  '4.1/create-429': 'POST /verifications beyond the rate limit is 429.',
  '4.1/create-without-body': 'The whole body of POST /verifications may be left out, and every field of it.',
  '4.1/create-idempotency-key-optional': 'The header Idempotency-Key of POST /verifications is optional.',
  '4.1/create-method': 'Field method is a method and document_liveness by default.',
  '4.1/create-reference': 'Field reference holds at most 200 characters, and there is none by default.',
  '4.1/create-reference-in-events': 'The reference is returned in webhooks.',
  '4.1/create-sandbox-in-live': 'Field sandbox means something with a sandbox key only.',
  '4.1/create-scenario': 'Field sandbox.scenario is a sandbox scenario and approved by default.',
  '4.1/create-auto-complete': 'Field sandbox.auto_complete is a boolean and true by default.',
  '4.1/create-auto-complete-false': 'With sandbox.auto_complete false the verification stays pending.',
  '4.1/list': 'GET /verifications answers 200 with a verification list.',
  '4.1/list-limit': 'Query limit of GET /verifications is an integer from 1 to 100.',
  '4.1/list-limit-default': 'Without limit a page holds 20.',
  '4.1/list-starting-after': 'Query starting_after is the id of the last row of the previous page.',
  '4.1/list-401': 'GET /verifications without a valid key is 401.',
  '4.1/list-429': 'GET /verifications beyond the rate limit is 429.',
  '4.1/get': 'GET /verifications/{id} answers 200 with the verification.',
  '4.1/get-401': 'GET /verifications/{id} without a valid key is 401.',
  '4.1/get-404': 'GET /verifications/{id} of an unknown id is 404.',
  '4.1/complete': 'POST /verifications/{id}/complete answers 200 with the verification.',
  '4.1/complete-scenario': 'The body of …/complete is optional and may name a scenario.',
  '4.1/complete-sandbox-key-only': 'POST …/complete takes a sandbox key only, and is 403 with another.',
  '4.1/complete-404': 'POST …/complete of an unknown id is 404.',
  '4.1/complete-409': 'POST …/complete of a completed verification is 409.',
  '4.1/webhook-create': 'POST /webhooks answers 201 with the endpoint and its secret.',
  '4.1/webhook-create-scope': 'POST /webhooks needs a key with scope webhooks:manage.',
  '4.1/webhook-create-401': 'POST /webhooks without a valid key is 401.',
  '4.1/webhook-create-403': 'POST /webhooks without its scope is 403.',
  '4.1/webhook-create-422': 'POST /webhooks with invalid input is 422.',
  '4.1/webhook-create-body-required': 'POST /webhooks needs a body.',
  '4.1/webhook-url': 'Field url is required and must be an https URL; another is 422.',
  '4.1/webhook-description': 'Field description is optional and holds at most 200 characters.',
  '4.1/webhook-event-types': 'Field event_types is an array of strings, [verification.completed] by default.',
  '4.1/webhook-environment': 'Field environment is all, sandbox or live, and all by default.',
  '4.1/webhook-list': 'GET /webhooks answers 200 with object and data, an array of endpoints without secret.',
  '4.1/webhook-get': 'GET /webhooks/{id} answers 200 with the endpoint without secret.',
  '4.1/webhook-get-404': 'GET /webhooks/{id} of an unknown id is 404.',
  '4.1/webhook-delete': 'DELETE /webhooks/{id} answers 200 with id (string) and deleted (boolean).',
  '4.1/webhook-delete-404': 'DELETE /webhooks/{id} of an unknown id is 404.',
  '4.1/idempotent-replay': 'The same Idempotency-Key with the same body gives exactly the same response.',
  '4.1/idempotent-creates-once':
    'The same Idempotency-Key with the same body creates no second verification.',
  '4.1/idempotency-key-reused': 'The same Idempotency-Key with another body is 422 idempotency_key_reused.',
  '4.1/complete-live-key': 'POST …/complete with a live key is 403 not_sandbox.',
  '4.1/complete-already-completed': 'POST …/complete of a completed verification is 409 already_completed.',
  '4.1/list-pages': 'The page after one is asked for with the id of its last row as starting_after.',
  '4.1/income-check-create': 'POST /v1/income-checks takes income documents.',
  '4.1/income-check-list': 'GET /v1/income-checks lists income checks.',
  '4.1/income-check-get': 'GET /v1/income-checks/{id} gives the result of one.',

  '4.2/single-endpoint': 'The agent interface is one endpoint: streamable HTTP carrying JSON-RPC 2.0.',
  '4.2/protocol-version': 'Its protocol version is 2025-06-18.',
  '4.2/stateless': 'It is stateless: no session id exists.',
  '4.2/get-405': 'A GET of the endpoint is 405.',
  '4.2/initialize':
    'Method initialize takes protocolVersion, capabilities and clientInfo with name and version.',
  '4.2/tools-list': 'Method tools/list lists the tools.',
  '4.2/tools-call': 'Method tools/call takes name and arguments.',
  '4.2/same-key': 'The key of REST is its bearer token, with the same scopes; no key of its own exists.',
  '4.2/same-rate-limit': 'It draws on the same rate limit as REST.',
  '4.2/same-request-log': 'It writes to the same request log as REST.',
  '4.2/no-tools-without-key': 'Without a valid key no list of tools is returned.',
  '4.2/tool-result': 'A tool result has content of type text, structuredContent and isError.',
  '4.2/tool-failure-is-a-result': 'A tool that cannot do its work returns a normal result with isError true.',
  '4.2/list-bound': 'A list result holds 25 per call at most, and goes on by pages.',
  '4.2/health':
    'Tool health reports reachability and the environment and rights of the key, and no data besides.',
  '4.2/start-verification':
    'Tool start_verification takes method, reference, sandbox_scenario and auto_complete.',
  '4.2/start-verification-scope': 'Tool start_verification needs verify:create.',
  '4.2/start-verification-next-step': 'It returns the verification with verify_url and a next_step string.',
  '4.2/get-verification': 'Tool get_verification takes a verification_id and returns the status.',
  '4.2/get-verification-scope': 'Tool get_verification needs verify:read.',
  '4.2/get-verification-checks': 'Of a completed verification it also returns the outcome and each check.',
  '4.2/list-verifications': 'Tool list_verifications takes limit, status, reference and starting_after.',
  '4.2/list-verifications-scope': 'Tool list_verifications needs verify:read.',
  '4.2/list-verifications-row': 'It returns id, status, method, outcome and date of each.',
  '4.2/list-verifications-environment': 'It stays within the environment of the key.',
  '4.2/list-verifications-reference': 'Its reference filters and does nothing else.',
  '4.2/complete-verification':
    'Tool complete_verification takes verification_id and scenario, and completes an open one.',
  '4.2/complete-verification-scope': 'Tool complete_verification needs verify:create.',
  '4.2/complete-verification-sandbox-only':
    'With a live key complete_verification does not exist, not even in the list.',
  '4.2/create-webhook': 'Tool create_webhook takes url, description, event_types and environment.',
  '4.2/create-webhook-scope': 'Tool create_webhook needs webhooks:manage.',
  '4.2/create-webhook-secret-once': 'It returns the signing secret that once.',
  '4.2/list-webhooks': 'Tool list_webhooks returns the endpoints with status and last delivery.',
  '4.2/list-webhooks-scope': 'Tool list_webhooks needs webhooks:manage.',
  '4.2/list-webhooks-no-secret': 'It returns no secrets.',
  '4.2/read-and-write': 'Tools are marked as reading or writing.',

  '4.3/reference': 'The agent interface never returns reference; filtering by it is allowed.',
  '4.3/external-ref': 'It never returns external_ref.',
  '4.3/subject-ref': 'It never returns subject_ref.',
  '4.3/dossier-ref': 'It never returns dossier_ref.',
  '4.3/link-token': 'It never returns link_token.',
  '4.3/verify-url': 'It returns verify_url from start_verification only.',
  '4.3/reasons': 'It never returns reasons; verdict.checks stands in for them.',
  '4.3/summary': 'It never returns summary.',
  '4.3/personal-data':
    'It returns no names, birth dates, citizen numbers, images, MRZ fields or raw model output.',
  '4.3/no-webhook-read-or-delete-tool': 'No tool stands for GET or DELETE /webhooks/{id}.',
  '4.3/no-income-check-tool': 'No tool stands for the income checks.',

  // 5. Authentication
  '5/bearer-key': 'Every endpoint but GET /health asks for Authorization: Bearer <API_KEY>.',
  '5/key-prefixes': 'A key starts with svc_test_ in sandbox and with svc_live_ in live.',
  '5/key-determines-environment-and-organisation': 'The key determines both environment and organisation.',
  '5/key-stored-as-hash': 'A key is stored as its SHA-256 and in no other form.',
  '5/key-visible-once': 'The whole key is visible once, when it is created at the console.',
  '5/scopes': 'The scopes are verify:create, verify:read and webhooks:manage.',
  '5/insufficient-scope': 'A key without the scope that is needed is 403 insufficient_scope.',
  '5/missing-key': 'A missing key is 401 authentication_error.',
  '5/unknown-key': 'An unknown key is 401 authentication_error, invalid_api_key.',
  '5/revoked-key': 'A revoked key is 401 authentication_error, invalid_api_key.',
  '5/expired-key': 'An expired key is 401 authentication_error.',
  '5/agent-interface-same-keys': 'The agent interface takes the same keys.',

  // 6. Events
  '6/post-to-url': 'A delivery is an HTTP POST to the url that was registered.',

  '6.1/sent-on-verdict': 'verification.completed is sent when a verdict is ready.',
  '6.1/active-endpoints-only': 'It goes to active endpoints only.',
  '6.1/matching-environment-only': "It goes where environment is all or the verification's.",
  '6.1/subscribed-endpoints-only': 'It goes where event_types include it.',
  '6.1/id': 'The body has an event id that starts with evt_.',
  '6.1/type': 'Its type is verification.completed.',
  '6.1/created': 'Its created is the Unix time in whole seconds.',
  '6.1/environment': 'Its environment is sandbox or live.',
  '6.1/data-verification-id': 'data.verification_id names the verification.',
  '6.1/data-reference': "data.reference is the caller's reference.",
  '6.1/data-status': 'data.status is completed.',
  '6.1/data-outcome': 'data.outcome is approved, review or rejected.',
  '6.1/data-assurance-level': 'data.assurance_level is a string.',
  '6.1/data-reasons': 'data.reasons are an array of strings.',

  '6.2/signature-header': 'X-Service-Signature reads t=<unix>,v1=<hex>.',
  '6.2/event-header': 'X-Service-Event is the event type.',
  '6.2/delivery-header': 'X-Service-Delivery is the unique event id, fit for the idempotency of a receiver.',

  '6.3/hmac': 'v1 is HMAC-SHA256 in hex, by the secret, over <timestamp>.<raw body>.',
  '6.3/timestamp-and-raw-body': 'The timestamp is that of t and the body exactly as it is received.',
  '6.3/constant-time': 'v1 is compared in constant time.',
  '6.3/five-minutes': 'A timestamp older than 5 minutes is rejected.',

  '6.4/retries': 'An answer that is not 2xx is retried with growing waits.',
  '6.4/six-attempts': 'A delivery makes six attempts at most.',
  '6.4/eight-hours': 'The attempts take about eight hours.',
  '6.4/2xx-is-success': 'A 2xx ends the delivery.',

  // 7. Errors
  '7.1/json': 'Every error is JSON.',
  '7.1/request-id': 'error.request_id starts with req_ and is what X-Request-Id says.',
  '7.1/types': 'error.type is one of the six types.',
  '7.1/code': 'error.code is a string.',
  '7.1/message': 'error.message is a string.',
  '7.1/400-invalid-json': '400 invalid_request_error invalid_json: the body is not valid JSON.',
  '7.1/401': '401 authentication_error: no valid key; invalid_api_key when unknown or revoked.',
  '7.1/403-insufficient-scope': '403 authentication_error insufficient_scope.',
  '7.1/403-not-sandbox': '403 invalid_request_error not_sandbox: only sandbox has this, and the key is live.',
  '7.1/404': '404 not_found_error: the resource does not exist.',
  '7.1/409-already-completed': '409 invalid_request_error already_completed.',
  '7.1/422-idempotency-key-reused': '422 idempotency_error idempotency_key_reused.',
  '7.1/422-invalid-input': '422 invalid_request_error: invalid input, such as an invalid webhook url.',
  '7.1/429-rate-limit-exceeded': '429 rate_limit_error rate_limit_exceeded, with Retry-After.',

  '7.2/-32700': '-32700: the body is not valid JSON.',
  '7.2/-32601': '-32601: the JSON-RPC method is unknown.',
  '7.2/-32602': '-32602: the tool is unknown, or does not exist in this environment.',
  '7.2/-32001': '-32001 with HTTP 401: the key is missing, invalid, revoked or expired.',
  '7.2/-32003': '-32003 with HTTP 403: the key lacks the scope.',
  '7.2/-32029': '-32029 with HTTP 429 and Retry-After: the rate limit is reached.',

  // 8. Limits
  '8/requests-per-minute': 'A key has 120 requests a minute unless it was given another number.',
  '8/rate-limit-headers':
    'The rate limit shows in X-RateLimit-Limit, X-RateLimit-Remaining and Retry-After on 429.',
  '8/list-limit': 'A REST list takes a limit from 1 to 100, 20 by default.',
  '8/agent-page': 'A page of the agent interface holds 25 at most.',
  '8/reference-length': 'A reference of 200 characters is taken and one of 201 refused.',
  '8/description-length': 'A webhook description of 200 characters is taken and one of 201 refused.',
  '8/signature-age': 'A signature older than 5 minutes is rejected.',
  '8/delivery-attempts': 'A delivery makes six attempts at most, over about 8 hours.',
  '8/agent-interface-shares-limit': 'Requests of both interfaces count on the one limit of the key.',

  // 9. Versioning
  '9/path-prefix': 'The version of the interface stands in the path prefix /v1.',
  '9/description-version': 'The interface description says version 1.0.0.',
  '9/health-version': 'GET /health returns a version string.',
  '9/rest-unchanged-by-agent-interface': 'The agent interface was added without a change to REST.',
} as const;

export type RequirementId = keyof typeof behaviours;

export type Requirement = { id: RequirementId; section: string; behaviour: string };

export const requirements = Object.entries(behaviours).map(([id, behaviour]) => ({
  id,
  section: id.slice(0, id.indexOf('/')),
  behaviour,
})) as readonly Requirement[];

/** Names the requirements that the tests around the call cover. The function does nothing. An unknown id does not compile. */
export function covers(..._ids: RequirementId[]): void {}
