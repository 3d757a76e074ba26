import type { CallOutput } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { STAND_IN_CENTERS } from './stand-in-status.ts'

/** A trial of the service that ends at a secret that is not the right one. */
export const NOT_SIGNED_IN: CallOutput<'service.test'> = {
  reachable: { kind: 'passed' },
  signedIn: { kind: 'failed', failure: failureOf('signedOut', { status: 401 }) },
  centersListed: { kind: 'notTried' },
  centers: [],
}

/** A trial of the service that passes every step. */
export const SIGNED_IN: CallOutput<'service.test'> = {
  reachable: { kind: 'passed' },
  signedIn: { kind: 'passed' },
  centersListed: { kind: 'passed' },
  centers: STAND_IN_CENTERS,
}
