import type { Deployment } from '../deployment.ts';
import type { Engine } from '../engine.ts';
import type { Seen } from '../kernel.ts';
import type { Partner } from './partner.ts';

export type Scene = {
  engine: Engine;
  deployment: Deployment;
  /** Known when the service answers. */
  partner: Partner | undefined;
  /** The key that the deployment printed. */
  liveKey: string | undefined;
  /** Verifications that a later step completes. */
  earlier: string[];
  /** The verification in live for which a person handed in a document. */
  handedIn: string | undefined;
  /** The migrations that the version of this checkout has and the one before has not. */
  newMigrations: string[];
  /** What the kernel has shown. */
  views: View[];
};

/** What the kernel shows of one container. */
export type View = { when: string; container: string; seen: Seen };

/** A step throws an error if something is not as it must be. It returns what it has seen. */
export type Step = { title: string; run(scene: Scene): Promise<string[]> };

export const fail = (reason: string): never => {
  throw new Error(reason);
};
export const expect = (holds: boolean, reason: string): void => void (holds || fail(reason));
export const partnerOf = ({ partner }: Scene): Partner => partner ?? fail('there is no partner yet');
