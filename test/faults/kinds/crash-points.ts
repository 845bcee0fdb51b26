import { setTimeout as pause } from 'node:timers/promises';
import { apiPoints, type CrashPoint, receiverPoints, workerPoints } from '../parts/points.ts';
import type { Fault } from './fault.ts';
import { killAndStart } from './killed.ts';

const awaitedMs = 60_000;

const never = () => pause(awaitedMs, false, { ref: false });

/** A part that dies at a named point of its own code. */
const dieAt =
  (part: 'api' | 'worker') =>
  (point: CrashPoint): Fault => ({
    name: point,
    mayRepeat: part === 'worker',
    plan(machine, dice) {
      const victim = machine[part];
      const arrival = dice.whole(1, 3);
      return {
        detail: `arrival ${arrival}`,
        prepare: () => victim.order({ point, arrival }),
        break: () => Promise.race([victim.gone().then(() => true), never()]),
        mend: (hit) => (hit ? victim.start() : victim.order(undefined)),
      };
    },
  });

/** A worker that dies at a moment that only the receiver can see. */
const dieWhenReceiverSees = (point: CrashPoint): Fault => ({
  name: point,
  mayRepeat: true,
  plan({ receiver, worker }, dice) {
    const arrival = dice.whole(1, 3);
    let seen: Promise<boolean>;
    return {
      detail: `arrival ${arrival}`,
      async prepare() {
        await receiver.order({ point, arrival });
        seen = receiver.hit().then(
          () => true,
          () => false,
        );
      },
      break: () => Promise.race([seen, never()]),
      mend: (hit) => (hit ? killAndStart([worker]) : receiver.order(undefined)),
    };
  },
});

export const crashPoints: readonly Fault[] = [
  ...apiPoints.map(dieAt('api')),
  ...workerPoints.map(dieAt('worker')),
  ...receiverPoints.map(dieWhenReceiverSees),
];
