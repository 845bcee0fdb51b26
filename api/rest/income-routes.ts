import { CreateIncomeCheck, IncomeCheck, IncomeCheckList } from '#contract/income/check.ts';
import { ListQuery } from '#contract/list.ts';
import { CompleteVerification } from '#contract/verification.ts';
import { NoFields } from '#contract/webhook.ts';
import { cancelIncomeCheck, eraseIncomeCheck, renewIncomeCheckLink } from '#services/income-checks/change.ts';
import { completeIncomeCheck } from '#services/income-checks/complete.ts';
import { createIncomeCheck } from '#services/income-checks/create.ts';
import { getIncomeCheck } from '#services/income-checks/get.ts';
import { listIncomeChecks } from '#services/income-checks/list.ts';
import { type KeyedRoute, row } from './row.ts';

/** The endpoints of income checks (specification 4.1, rule 6), and those that do to them what others do to a verification. */
export const incomeRoutes: readonly KeyedRoute[] = [
  row({
    operation: 'createIncomeCheck',
    method: 'POST',
    path: '/income-checks',
    tag: 'Income checks',
    summary: 'Start an income check',
    description: [
      'Returns an income check with its `upload_url`. Give this link to your end user, who hands in payslips or statements there.',
      'Or send the documents in `documents`; the income check is then `in_progress` and has no link. The body is optional.',
      '',
      'In sandbox the income check completes at once, with the outcome in `sandbox.scenario` and always the same result, unless',
      '`sandbox.auto_complete` is false. In live a machine reads the documents, and a person of your organisation decides.',
      '',
      'Send an `Idempotency-Key`: a repeat with the same key and body returns the same answer and starts nothing new.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: CreateIncomeCheck,
    bodyOptional: true,
    documents: true,
    success: { status: 201, schema: IncomeCheck, description: 'The income check.' },
    errors: ['organisation_paused', 'overloaded'],
    run: createIncomeCheck,
  }),
  row({
    operation: 'listIncomeChecks',
    method: 'GET',
    path: '/income-checks',
    tag: 'Income checks',
    summary: 'List income checks',
    description:
      "Returns one page of the income checks of the key's organisation and environment, newest first. For the next page send `next_starting_after` as `starting_after`.",
    grant: 'verify:read',
    query: ListQuery,
    success: { status: 200, schema: IncomeCheckList, description: 'One page.' },
    errors: ['invalid_cursor'],
    run: listIncomeChecks,
  }),
  row({
    operation: 'getIncomeCheck',
    method: 'GET',
    path: '/income-checks/:id',
    tag: 'Income checks',
    summary: 'Retrieve an income check',
    description:
      'Returns the income check. `verdict` and `result` are null until it is completed. Subscribe to `income_check.completed`, and you do not need to poll.',
    grant: 'verify:read',
    notFound: 'income_check_not_found',
    success: { status: 200, schema: IncomeCheck, description: 'The income check.' },
    run: getIncomeCheck,
  }),
  row({
    operation: 'completeIncomeCheck',
    method: 'POST',
    path: '/income-checks/:id/complete',
    tag: 'Income check operations',
    summary: 'Complete a sandbox income check',
    description:
      'Acts in place of the end user: the income check completes with the outcome in `scenario`, and `income_check.completed` is sent. Without `scenario` the one given at creation is used.',
    grant: 'verify:create',
    sandboxOnly: true,
    body: CompleteVerification,
    bodyOptional: true,
    notFound: 'income_check_not_found',
    success: { status: 200, schema: IncomeCheck, description: 'The completed income check.' },
    errors: ['already_completed'],
    run: completeIncomeCheck,
  }),
  row({
    operation: 'cancelIncomeCheck',
    method: 'POST',
    path: '/income-checks/:id/cancel',
    tag: 'Income check operations',
    summary: 'Cancel an income check',
    description:
      'Closes the link of an open income check: it opens a page that says so. No event is sent, and `status` stays as it is. With `/link` you can open it again. A repeat changes nothing.',
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'income_check_not_found',
    success: { status: 200, schema: IncomeCheck, description: 'The income check.' },
    errors: ['already_completed', 'already_submitted'],
    run: cancelIncomeCheck,
  }),
  row({
    operation: 'renewIncomeCheckLink',
    method: 'POST',
    path: '/income-checks/:id/link',
    tag: 'Income check operations',
    summary: 'Replace the link',
    description:
      'Returns the income check with a new `upload_url`. The link before stops working at once. Use it if a link has expired or has come into the wrong hands, or to open a cancelled income check again.',
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'income_check_not_found',
    success: { status: 200, schema: IncomeCheck, description: 'The income check with its new link.' },
    errors: ['already_completed', 'already_submitted', 'erased', 'too_many_links'],
    run: renewIncomeCheckLink,
  }),
  row({
    operation: 'eraseIncomeCheck',
    method: 'POST',
    path: '/income-checks/:id/erase',
    tag: 'Income check operations',
    summary: 'Erase the personal data',
    description: [
      'Erases what is stored of the end user, at any time: documents, result, `reference`, and the reference in events that are still to be',
      'sent. An open income check is cancelled, and no event is sent. Verdict, checks and the history stay. This cannot be undone.',
      '',
      'In live it needs a setting of your organisation. A repeat changes nothing.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'income_check_not_found',
    success: { status: 200, schema: IncomeCheck, description: 'The income check without personal data.' },
    errors: ['not_allowed'],
    run: eraseIncomeCheck,
  }),
];
