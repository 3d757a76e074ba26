import { onTestFinished } from 'vitest'
import { parseConfig } from '../../../src-main/station/settings/managed-files.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import type { ManualClock } from '../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

type Opening = Partial<Parameters<typeof openStation>[0]> & { readonly clock?: ManualClock }

/** A station with these settings, stopped when the test ends, and its answers. */
export async function started(
  stated: Readonly<Record<string, unknown>>,
  { clock, ...options }: Opening = {},
) {
  const ports = stationPorts(clock === undefined ? {} : { clock })
  const config = parseConfig(stated)
  const station = await openStation({ dataFolder: temporaryFolder(), ports, config, ...options })
  onTestFinished(() => station.stop())
  const answer = (name: string, input: unknown = {}) =>
    answerCall(station.handlers, createRecordingLogger(), name, input)
  return { station, logger: ports.logger, answer }
}
