import { groupingCalls } from './calls/grouping-calls.ts'
import { moveCalls } from './calls/move-calls.ts'
import { oversightCalls } from './calls/oversight-calls.ts'
import { reportCalls } from './calls/report-calls.ts'
import { serviceCalls } from './calls/service-calls.ts'
import { stationCalls } from './calls/station-calls.ts'
import { submissionCalls } from './calls/submission-calls.ts'
import { updateCalls } from './calls/update-calls.ts'
import type { CallHandlers } from './station-api.ts'
import type { StationParts } from './station-parts.ts'

/** All calls of the contract, on the parts of a station. */
export function createHandlers(parts: StationParts): CallHandlers {
  return {
    ...stationCalls(parts),
    ...submissionCalls(parts),
    ...groupingCalls(parts),
    ...moveCalls(parts),
    ...oversightCalls(parts),
    ...serviceCalls(parts),
    ...reportCalls(parts),
    ...updateCalls(parts),
  }
}
