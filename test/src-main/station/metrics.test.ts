/** The numbers for IT: what a station answers, and what `docs/monitoring` reads of it. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createMetrics, METRICS_TYPE } from '../../../src-main/station/metrics.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { syntheticStatus, WATCHED_FOLDER } from '../../src-renderer/synthetic-submission.ts'
import { started } from './started.ts'

/** Each sample by its name and labels. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\S+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? []
      return [name, Number(value)]
    }),
  )
}

/** All that can be stated: each kind of value is there. */
async function everything(): Promise<string> {
  const metrics = createMetrics({ ports: stationPorts() })
  metrics.countOutcome('delivered')
  metrics.countOutcome('delivered')
  metrics.countOutcome('unknown')
  const events = { onMessage: () => undefined, onExit: () => undefined }
  metrics.startProcess(new URL('file:///program/pictures-worker.js'), events).kill()
  return metrics.read({
    status: () =>
      syntheticStatus({
        mode: { kind: 'paused', why: 'signedOut', until: null },
        lastSentAt: 1_700_000_000_500,
        service: {
          health: 'trouble',
          since: 0,
          failure: failureOf('signedOut'),
          nextTryAt: null,
          lastSuccessAt: 1_700_000_000_000,
        },
        folders: [
          { ...WATCHED_FOLDER, health: 'unreachable', noteCounts: { unreadable: 2, duplicate: 1 } },
          { ...WATCHED_FOLDER, noteCounts: { unreadable: 3 } },
          WATCHED_FOLDER,
        ],
        storage: failureOf('diskLow'),
        imagesMissing: 1,
      }),
    outbox: {
      stateAges: () => [
        { state: 'waiting', count: 1, oldestAddedAt: 1_600_000_000_000, unchangedSince: 0 },
        { state: 'sent', count: 9, oldestAddedAt: null, unchangedSince: null },
      ],
    },
    freeBytes: () => Promise.resolve(4_096),
    disk: Promise.resolve('encrypted'),
  })
}

it('state how a station is, in OpenMetrics', async () => {
  const text = await everything()
  expect(text).toMatch(/# EOF\n$/)
  expect(METRICS_TYPE).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  const samples = samplesOf(text)
  expect(Object.fromEntries(samples)).toMatchObject({
    'fundus_courier_build_info{version="0.0.0-test",host="headless"}': 1,
    'fundus_courier_mode{mode="paused_signedOut"}': 1,
    'fundus_courier_oldest_case_timestamp_seconds{state="waiting"}': 1_600_000_000,
    fundus_courier_last_sent_timestamp_seconds: 1_700_000_000.5,
    'fundus_courier_attempts_total{outcome="delivered"}': 2,
    'fundus_courier_attempts_total{outcome="refused"}': 0,
    'fundus_courier_attempts_total{outcome="unknown"}': 1,
    'fundus_courier_service{health="trouble"}': 1,
    'fundus_courier_folders{health="watching"}': 2,
    'fundus_courier_folders{health="unreachable"}': 1,
    'fundus_courier_files_left_aside{reason="unreadable"}': 5,
    'fundus_courier_files_left_aside{reason="duplicate"}': 1,
    'fundus_courier_process_starts_total{program="pictures"}': 1,
    'fundus_courier_trouble{kind="diskLow"}': 1,
    fundus_courier_images_missing: 1,
    fundus_courier_disk_free_bytes: 4_096,
    fundus_courier_disk_encrypted: 1,
  })
  expect(samples.has('fundus_courier_oldest_case_timestamp_seconds{state="sent"}')).toBe(false)
})

describe('docs/monitoring', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../../docs/monitoring/${name}`, import.meta.url), 'utf8')
  const namesIn = (text: string): string[] => [...new Set(text.match(/fundus_courier_\w+/g))]

  it.each(['alerts.yml', 'dashboard.json'])('reads in %s only what there is', async (name) => {
    const there = new Set(
      [...samplesOf(await everything()).keys()].map((sample) => sample.split('{')[0] ?? ''),
    )
    const asked = namesIn(read(name))
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.filter((one) => !there.has(one))).toEqual([])
  })

  it('explains every one', async () => {
    const explained = read('README.md')
    const names = [...samplesOf(await everything()).keys()].map((sample) => sample.split('{')[0] ?? '')
    expect(
      names.filter((name) => !explained.includes(`\`${name.slice('fundus_courier_'.length)}\``)),
    ).toEqual([])
  })

  it('is a dashboard that Grafana can read', () => {
    const { panels } = JSON.parse(read('dashboard.json')) as { panels: { id: number; targets: unknown[] }[] }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})

it('of a working station hold its cases, and nothing of a patient, a folder or a center', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  addWaiting(test)
  test.close()
  const camera = mkdtempSync(join(temporaryFolder(), 'camera-of-testwood-'))
  writeFileSync(join(camera, 'Testwood_Ada.txt'), 'no image')
  const clock = new ManualClock()
  const { station } = await started({ folders: [{ path: camera }], centerId: '4711' }, { dataFolder, clock })
  const text = await vi.waitFor(async () => {
    const read = await station.metrics()
    expect(read).toContain('fundus_courier_folders{health="watching"} 1')
    return read
  }, 20_000)
  expect(samplesOf(text).get('fundus_courier_cases{state="waiting"}')).toBe(1)
  expect(text).not.toMatch(/testwood|camera|4711|\//i)
})

it('is answered beside a disk that does not answer, and asks it no more meanwhile', async () => {
  const clock = new ManualClock()
  let asked = 0
  let hangs = false
  const { station } = await started(
    {},
    {
      clock,
      askFreeBytes: () => {
        asked += 1
        return hangs ? new Promise(() => undefined) : Promise.resolve(1)
      },
    },
  )
  hangs = true
  const before = asked
  const first = station.metrics()
  await clock.turn(5_000)
  for (const text of [await first, await station.metrics()]) {
    expect(text).toContain('fundus_courier_mode')
    expect(text).not.toContain('disk_free_bytes ')
  }
  expect(asked - before).toBe(1)
})
