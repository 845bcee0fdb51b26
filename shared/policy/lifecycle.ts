import type { Environment, VerificationStatus } from '#contract/enums.ts';

export type Trigger =
  | 'created'
  | 'created_with_documents'
  | 'started'
  | 'completed_by_api'
  | 'completed_by_person'
  | 'other_way_asked';
type Transition = {
  from: VerificationStatus | null;
  trigger: Trigger;
  environments: readonly Environment[];
  to: VerificationStatus;
};

const both = ['sandbox', 'live'] as const;

/** All allowed transitions (specification 3; decisions 6, 8, 18 and 47). Every other transition is refused. */
export const lifecycle: readonly Transition[] = [
  { from: null, trigger: 'created', environments: both, to: 'pending' },
  { from: null, trigger: 'created_with_documents', environments: both, to: 'in_progress' },
  { from: null, trigger: 'created', environments: ['sandbox'], to: 'completed' },
  { from: 'pending', trigger: 'started', environments: both, to: 'in_progress' },
  // After a withdrawal the person consents again.
  { from: 'in_progress', trigger: 'started', environments: both, to: 'in_progress' },
  { from: 'pending', trigger: 'completed_by_api', environments: ['sandbox'], to: 'completed' },
  { from: 'in_progress', trigger: 'completed_by_api', environments: ['sandbox'], to: 'completed' },
  { from: 'in_progress', trigger: 'completed_by_person', environments: both, to: 'completed' },
  { from: 'pending', trigger: 'other_way_asked', environments: both, to: 'completed' },
  { from: 'in_progress', trigger: 'other_way_asked', environments: both, to: 'completed' },
];

export const allows = (
  environment: Environment,
  from: VerificationStatus | null,
  trigger: Trigger,
  to: VerificationStatus,
): boolean =>
  lifecycle.some(
    (row) =>
      row.from === from && row.trigger === trigger && row.to === to && row.environments.includes(environment),
  );

/** Checks a transition before it is written. The function throws only if the caller has a bug. */
export function assertAllowed(...transition: Parameters<typeof allows>): void {
  if (!allows(...transition)) throw new Error('the lifecycle has no such transition');
}
