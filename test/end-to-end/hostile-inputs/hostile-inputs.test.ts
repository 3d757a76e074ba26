/** A whole station over a folder into which hostile files are thrown while it watches. */
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { hostileInputs } from '../../src-main/station/cases/hostile/hostile-inputs.ts'
import { until } from '../../station-process/start-station.ts'
import { propertySeed, runs } from '../../tools/property.ts'
import { describeHosts, type HostedStation } from '../station-hosts.ts'
import { setFixtureFor, type StationFixture } from '../station-fixture.ts'
import { TODAY, TODAY_IN_NAMES } from '../../camera/today.ts'

const COUNT = runs(500)
const MOST_GROWTH_KB = 400 * 1_024

/** The memory that a process holds in kilobytes, now or at its most; null if the system does not say. */
function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number | null {
  try {
    const found = new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) : null
  } catch {
    return null
  }
}

await describeHosts('a station over a folder of hostile files', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  beforeEach(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
  })
  afterEach(() => fixture.close())

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const whole = join(fixture.camera, path)
    await mkdir(dirname(whole), { recursive: true })
    await writeFile(whole, bytes)
  }

  it(`goes on, delivers the good case among them, and holds little memory (${COUNT} files)`, async () => {
    const station = await fixture.start()
    await until('the folder is watched', async () => {
      const { folders } = await station.value('station.status')
      return folders[0]?.health === 'watching'
    })
    const before = memoryOf(station.pid, 'VmRSS')
    const inputs = await hostileInputs(COUNT, propertySeed)
    const good = `H-00777_${TODAY_IN_NAMES}/H-00777_${TODAY_IN_NAMES}`
    // Drawn before: between the two of one case nothing may take long.
    const size = { seed: 777, width: 320, height: 240 }
    const [right, left] = [
      await drawFundus({ eye: 'right', ...size }),
      await drawFundus({ eye: 'left', ...size }),
    ]
    // What rests on names alone would wait for a person.
    const images = {
      [`H-00777_${TODAY_IN_NAMES}_OD_1.jpg`]: 'OD',
      [`H-00777_${TODAY_IN_NAMES}_OS_1.jpg`]: 'OS',
    }
    const record = { history_number: 'H-00777', visit_date: TODAY, images }
    for (const [index, { path, bytes }] of inputs.entries()) {
      await write(path, bytes)
      if (index !== COUNT >> 1) continue
      await write(`H-00777_${TODAY_IN_NAMES}/case.json`, Buffer.from(JSON.stringify(record)))
      await Promise.all([write(`${good}_OD_1.jpg`, right), write(`${good}_OS_1.jpg`, left)])
    }
    const written = Date.now()
    const sent = await until(
      'the good case is delivered',
      async () => {
        const { items } = await station.value('submissions.list', { search: 'H-00777' })
        return items.find(({ state }) => state === 'sent')
      },
      100_000,
    )
    expect(sent.images.map(({ eye, eyeSource }) => [eye, eyeSource])).toEqual([
      ['right', 'sidecar'],
      ['left', 'sidecar'],
    ])
    await until(
      'all files were looked at, twice since the last was written, and nothing is left to be collected',
      async () => {
        const { folders, counts } = await station.value('station.status')
        return (folders[0]?.lastSweepAt ?? 0) > written + 4_000 && counts.collecting === 0
      },
      100_000,
    )
    const { folders } = await station.value('station.status')
    expect(folders[0]).toMatchObject({ health: 'watching', failure: null })
    expect(folders[0]?.notes.length).toBeGreaterThan(10)
    for (const { message } of folders[0]?.notes ?? []) expect(message).toMatch(/^[A-Z].{20,}[.)]$/su)
    // Every thread went on, and no promise was dropped.
    expect(station.log()).not.toMatch(/unhandled|stopped|defect|could not be taken in|Error:/i)
    const most = memoryOf(station.pid, 'VmHWM')
    if (before !== null && most !== null) {
      if (process.env['HOSTILE_FILES'] !== undefined)
        process.stdout.write(`RSS +${Math.round((most - before) / 1_024)} MB\n`)
      expect(most - before).toBeLessThan(MOST_GROWTH_KB)
    }
    const code = await station.stop()
    // A station that is slow to end on a busy machine says so, and is ended as it is.
    if (!station.log().includes('did not stop in time')) expect(code).toBe(0)
  }, 240_000)
})
