import { z } from 'zod'
import { centerSchema } from './case.ts'
import { failureSchema } from './failure.ts'

const connectionTestStepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), failure: failureSchema }),
  z.object({ kind: z.literal('notTried') }),
])

/** How far a trial of an address and its credentials came, step by step. */
export const connectionTestSchema = z.object({
  reachable: connectionTestStepSchema,
  signedIn: connectionTestStepSchema,
  centersListed: connectionTestStepSchema,
  centers: z.array(centerSchema),
})
