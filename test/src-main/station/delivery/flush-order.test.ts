/**
 * The order of writes and flushes of a delivery, as the system sees it: no byte leaves whose phase a power cut could take back.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { exportVisit } from '../../../camera/export-visit.ts'
import { TODAY } from '../../../camera/today.ts'
import { quickFolder } from '../../../end-to-end/station-fixture.ts'
import { openPracticeService } from '../../../practice-service/practice-service.ts'
import { startStation, until } from '../../../station-process/start-station.ts'

/** Why it cannot be traced here; null if it can. */
function whyNot(): string | null {
  if (process.platform !== 'linux') return 'there is strace on Linux only'
  const tried = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'])
  if (tried.error) return 'strace is not installed'
  return tried.status === 0 ? null : 'strace may not trace here'
}

type Step = { readonly what: 'first byte' | 'last bytes'; readonly isFlushed: boolean }

/** What leaves, and the phase of the attempt that is committed before. */
const RELEASES = [
  { what: 'first byte', bytes: /"POST \/[^"]*cases HTTP/, phase: 'sending' },
  { what: 'last bytes', bytes: /--fundus-courier-[0-9a-f-]{36}--\\r\\n/, phase: 'handedOver' },
] as const

/** What left, in its order, and whether the commit of its phase was flushed by then: by a flush that began after it, and has ended. */
function stepsOf(log: string): Step[] {
  const steps: Step[] = []
  let writes = 0
  let flushed = 0
  /** The last write with each phase. */
  const written = new Map<string, number>()
  /** Flushes that run, by thread: how many writes were there when each began. */
  const running = new Map<string, number>()
  for (const line of log.split('\n')) {
    const thread = /^\d+/.exec(line)?.[0] ?? ''
    const isOfLog = line.includes('outbox.sqlite-wal>')
    if (isOfLog && line.includes(' pwrite64(')) {
      writes += 1
      for (const { phase } of RELEASES) if (line.includes(phase)) written.set(phase, writes)
    } else if (isOfLog && / f(?:data)?sync\(/.test(line)) {
      if (line.includes('unfinished')) running.set(thread, writes)
      else flushed = writes
    } else if (/f(?:data)?sync resumed/.test(line) && running.has(thread)) {
      flushed = Math.max(flushed, running.get(thread) ?? 0)
      running.delete(thread)
    } else
      for (const { what, bytes, phase } of RELEASES)
        if (bytes.test(line)) steps.push({ what, isFlushed: flushed >= (written.get(phase) ?? Infinity) })
  }
  return steps
}

it('the phase of an attempt is flushed before the first byte, and before the last bytes, of its case', async (context) => {
  const why = whyNot()
  if (why !== null) return context.skip(why)
  const root = mkdtempSync(join(tmpdir(), 'fundus-courier-order-'))
  const camera = join(root, 'camera')
  const dataFolder = join(root, 'one', 'data')
  for (const folder of [camera, dataFolder]) mkdirSync(folder, { recursive: true })
  const service = await openPracticeService({ answerDelayMs: 10, reportDelayMs: 600_000 })
  onTestFinished(() => service.close())
  const log = join(root, 'strace.log')
  const traced = 'pwrite64,fsync,fdatasync,rename,write,writev,sendmsg,sendto'
  const station = await startStation({
    dataFolder,
    // As on a disk that turns: what does not wait for a flush comes before it.
    startedBy: `strace -D -f -y -qq -s 100000 -e trace=${traced} -e inject=fdatasync:delay_enter=40000 -o`
      .split(' ')
      .concat(log),
    config: {
      service: service.account,
      centerId: '101',
      folders: [quickFolder(camera)],
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
  onTestFinished(() => station.kill())
  await exportVisit({
    folder: camera,
    seed: 3,
    visitDate: TODAY,
    imagesPerEye: 1,
    width: 64,
    height: 48,
    sidecar: 'first',
  })
  await until('the case was sent', async () => (await station.value('station.status')).counts.sent === 1)
  await station.stop()

  expect(stepsOf(readFileSync(log, 'utf8'))).toEqual([
    { what: 'first byte', isFlushed: true },
    { what: 'last bytes', isFlushed: true },
  ])
}, 90_000)
