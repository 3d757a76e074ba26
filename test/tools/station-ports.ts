/** What a host lends a whole station that is opened within a test. */
import { startNodeProcess } from '../../src-main/headless/host.ts'
import { type Ports, systemClock } from '../../src-main/station/ports.ts'
import { createRecordingLogger } from './recording-logger.ts'
import { createMemorySecrets } from './memory-secrets.ts'

type RecordingLogger = ReturnType<typeof createRecordingLogger>

const program = (path: string): URL => new URL(`../../src-main/${path}`, import.meta.url)

/** Ports with the real threads and the real clock, a recorded log and no notifications. */
export function stationPorts(changes: Partial<Ports> = {}): Ports & { readonly logger: RecordingLogger } {
  return {
    host: 'headless',
    version: '0.0.0-test',
    system: 'Test 1',
    runtime: 'Node 24',
    clock: systemClock,
    secrets: createMemorySecrets(),
    proxies: { proxyFor: () => Promise.resolve(null) },
    notifier: { notify: () => undefined },
    workers: {
      watch: program('reader/watch-worker.ts'),
      pictures: program('reader/pictures-worker.ts'),
      data: program('station/readers/data-worker.ts'),
      outbox: program('station/outbox/outbox-worker.ts'),
    },
    startProcess: startNodeProcess,
    ...changes,
    logger: createRecordingLogger(),
  }
}
