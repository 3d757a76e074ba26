/** The real delivery with the real client, on a real outbox: only the clock stands still until a test turns it. */
import { openDelivery } from '../../../../src-main/station/delivery/delivery.ts'
import { openServiceClient } from '../../../../src-main/station/service/service.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import type { TestOutbox } from '../../../tools/outbox-with.ts'
import { DIRECT, readLongPage } from '../service/client-with.ts'
import { ManualClock } from '../service/manual-clock.ts'
import { NO_GUARD } from './delivery-with.ts'

type RealService = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Opens it against a service of this machine; the caller closes it. */
export function openRealDelivery(
  test: Pick<TestOutbox, 'outbox' | 'spoolPath'>,
  service: RealService,
  centerId: string | null = null,
) {
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const settings = settingsSchema.parse({
    service: { baseUrl: service.baseUrl, clientId: service.clientId },
    centerId,
  })
  const client = openServiceClient(
    { clock, logger, proxies: DIRECT, version: '0.0.0', readLongPage },
    service,
    () => Promise.resolve(null),
  )
  const delivery = openDelivery({
    outbox: test.outbox,
    client,
    guard: NO_GUARD,
    clock,
    logger,
    random: () => 0.5,
    settings: () => settings,
    spoolPath: (spoolName) => test.spoolPath(spoolName),
    reread: () => undefined,
    maySend: () => true,
    onProgress: () => undefined,
    onHealthChanged: () => undefined,
    onAlarm: () => undefined,
  })
  return { delivery, clock, logger }
}
