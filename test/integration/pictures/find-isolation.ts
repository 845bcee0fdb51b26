import { pino } from 'pino';
import { findIsolation } from '#platform/isolated/isolation.ts';

/** A program that finds out how far this machine can isolate a program. */
await findIsolation(pino());
